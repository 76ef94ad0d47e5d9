import { isAbsolute, join, resolve } from "node:path";
import { isTable, type KeyPath, type TomlTable } from "./toml-table.ts";

/**
 * Makes the path-typed values of one layer absolute: `~` is the home directory, a relative path starts at the
 * layer's own directory. Values of another type are left for the type check.
 */
export function resolvePaths(
  table: TomlTable,
  directory: string,
  homeDirectory: string,
): TomlTable {
  return pathKeys.reduce(
    (at, path) => mapAt(at, path, (text) => absolute(text, directory, homeDirectory)) as TomlTable,
    table,
  );
}

/** `*` stands for any key or element. */
const shared: readonly KeyPath[] = [
  ["model_instructions_file"],
  ["zsh_path"],
  ["experimental_unified_exec_exec_server_workspace_root"],
];
const pathKeys: readonly KeyPath[] = [
  ...shared,
  ...shared.map((path) => ["profiles", "*", ...path]),
  ["sandbox_workspace_write", "writable_roots", "*"],
  ["environments", "*", "workspace_root"],
  ["environments", "*", "token_file"],
];

function mapAt(value: unknown, path: KeyPath, change: (text: string) => string): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return typeof value === "string" ? change(value) : value;
  if (Array.isArray(value))
    return key === "*" ? value.map((element) => mapAt(element, rest, change)) : value;
  if (!isTable(value)) return value;
  const keys = key === "*" ? Object.keys(value) : Object.hasOwn(value, key) ? [key] : [];
  if (keys.length === 0) return value;
  const copy: TomlTable = { ...value };
  for (const each of keys) copy[each] = mapAt(value[each], rest, change);
  return copy;
}

function absolute(text: string, directory: string, homeDirectory: string): string {
  if (text.trim() === "" || isAbsolute(text)) return text;
  if (text === "~" || text.startsWith("~/")) return join(homeDirectory, text.slice(1));
  return resolve(directory, text);
}
