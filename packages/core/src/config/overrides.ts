import { parse } from "smol-toml";
import { ConfigError } from "./config-error.ts";
import { emptyTable, setValueAt, type TomlTable } from "./toml-table.ts";

/**
 * `-c key=value` strings to one table; later ones win. A key is split at every `.`; a value that is no TOML value is
 * text, with the quotes around it removed. Throws a {@link ConfigError} of kind `override` without `=` or key.
 */
export function parseOverrides(overrides: readonly string[]): TomlTable {
  const table = emptyTable();
  for (const override of overrides) {
    const at = override.indexOf("=");
    if (at < 0) throw malformed(`Invalid override (missing '='): ${override}`);
    const key = override.slice(0, at).trim();
    if (key === "") throw malformed(`Empty key in override: ${override}`);
    setValueAt(table, (aliases[key] ?? key).split("."), parseValue(override.slice(at + 1).trim()));
  }
  return table;
}

const aliases: Readonly<Record<string, string>> = {
  use_legacy_landlock: "features.use_legacy_landlock",
};

function malformed(message: string): ConfigError {
  return new ConfigError("override", `Error parsing -c overrides: ${message}`);
}

function parseValue(text: string): unknown {
  try {
    const document = parse(`value = ${text}`);
    if (Object.keys(document).length === 1) return document["value"];
  } catch {
    // no TOML value: text
  }
  return text.replace(/^["']+|["']+$/g, "");
}
