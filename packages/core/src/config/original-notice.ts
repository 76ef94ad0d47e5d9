import { originalFeatures } from "./features.ts";
import { type MergedLayers, originOf } from "./layers.ts";
import { originalTopLevelKeys } from "./original-keys.ts";
import { valueAt } from "./toml-table.ts";

/** One notice that names every key that is set, known to the original and without effect here; none, no notice. */
export function noticeOfOriginalKeys({ table, origins }: MergedLayers): string[] {
  const keys = originalTopLevelKeys.filter((key) => Object.hasOwn(table, key));
  // Switching off what is not here asks for nothing.
  const features = originalFeatures
    .filter((name) => valueAt(table, ["features", name]) === true)
    .map((name) => `features.${name}`);
  const names = [...keys, ...features];
  if (names.length === 0) return [];
  const where = new Set(names.map((name) => originOf(origins, name.split("."))?.file ?? "-c"));
  const verb = names.length === 1 ? "is a setting" : "are settings";
  const list = names.map((name) => `\`${name}\``).join(", ");
  return [`${list} ${verb} of the original without effect here (${[...where].join(", ")})`];
}
