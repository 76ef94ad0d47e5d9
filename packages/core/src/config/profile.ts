import { join } from "node:path";
import { ConfigError } from "./config-error.ts";
import { ProfileToml } from "./config-toml.ts";
import { type ConfigLayer, type MergedLayers, originOf } from "./layers.ts";
import { resolvePaths } from "./resolve-paths.ts";
import { readTomlFile } from "./toml-file.ts";
import { isTable, type TomlTable, valueAt } from "./toml-table.ts";

/**
 * The profile's layer: `[profiles.NAME]` of the merged layers, or the whole file `$CODEX_HOME/NAME.config.toml`.
 * Throws a {@link ConfigError} of kind `profile` when there is neither, or both.
 */
export function readProfile(
  name: string,
  merged: MergedLayers,
  places: { readonly codexHome: string; readonly homeDirectory: string },
): ConfigLayer {
  const path = ["profiles", name];
  const table = valueAt(merged.table, path);
  const file = join(places.codexHome, `${name}.config.toml`);
  // A name with a slash would leave the home.
  const toml = /^[^/\\\0]+$/.test(name) ? readTomlFile(file) : undefined;
  if (isTable(table) && toml !== undefined) {
    const where = originOf(merged.origins, path)?.file ?? "-c";
    throw new ConfigError(
      "profile",
      `config profile \`${name}\` is defined twice: as [profiles.${name}] in ${where} and as ${file}; keep one of them`,
    );
  }
  if (toml !== undefined)
    return {
      kind: "profile",
      profile: name,
      ...toml,
      table: resolvePaths(toml.table, places.codexHome, places.homeDirectory),
    };
  if (!isTable(table)) throw new ConfigError("profile", `config profile \`${name}\` not found`);
  return { kind: "profile", profile: name, table: allowedKeys(table) };
}

/** Other keys are reported where they stand and must not reach the top level. */
function allowedKeys(table: TomlTable): TomlTable {
  return Object.fromEntries(
    Object.entries(table).filter(([key]) => Object.hasOwn(ProfileToml.shape, key)),
  );
}
