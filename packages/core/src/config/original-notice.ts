import { alwaysOnFeatures, featureAliases, originalFeatures } from "./features.ts";
import { type MergedLayers, originOf } from "./layers.ts";
import { originalTopLevelKeys } from "./original-keys.ts";
import { isTable, type KeyPath, type TomlTable } from "./toml-table.ts";

/** One notice that names every key that is set, known to the original and without effect here; none, no notice. */
export function noticeOfOriginalKeys({ table, origins }: MergedLayers): string[] {
  const keys = originalTopLevelKeys.filter((key) => Object.hasOwn(table, key));
  const paths: KeyPath[] = [...keys.map((key) => [key]), ...deafSwitches(table)];
  if (paths.length === 0) return [];
  const names = paths.map((path) => `\`${path.join(".")}\``).join(", ");
  const verb = paths.length === 1 ? "is a setting" : "are settings";
  const where = new Set(paths.map((path) => originOf(origins, path)?.file ?? "-c"));
  return [`${names} ${verb} of the original without effect here (${[...where].join(", ")})`];
}

/** Features that are asked to be what they cannot be here; a wish for what is anyway the case needs no word. */
function deafSwitches(table: TomlTable): KeyPath[] {
  const old = table["experimental_use_unified_exec_tool"];
  const features = isTable(table["features"]) ? Object.entries(table["features"]) : [];
  const deaf = features.filter(([alias, value]) => {
    const name = featureAliases[alias] ?? alias;
    if (includes(alwaysOnFeatures, name)) return value === false;
    return includes(originalFeatures, name) && value === true;
  });
  return [
    ...(old === false ? [["experimental_use_unified_exec_tool"]] : []),
    ...deaf.map(([name]) => ["features", name]),
  ];
}

function includes(names: readonly string[], name: string): boolean {
  return names.includes(name);
}
