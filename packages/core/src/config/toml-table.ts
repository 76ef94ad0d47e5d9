/** A TOML table before anything is known of its keys. */
export type TomlTable = { [key: string]: unknown };

/** Segments of a key, outermost first; array elements count as their index. */
export type KeyPath = readonly string[];

/** True for a table; dates and arrays are values. */
export function isTable(value: unknown): value is TomlTable {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** The value at `path`, or undefined when a step is missing or no table. */
export function valueAt(table: TomlTable, path: KeyPath): unknown {
  let at: unknown = table;
  for (const key of path) {
    if (Array.isArray(at)) at = at[Number(key)];
    else if (isTable(at) && Object.hasOwn(at, key)) at = at[key];
    else return undefined;
  }
  return at;
}

/** Writes `value` at `path`; missing tables are made, and anything else on the way is replaced by one. */
export function setValueAt(table: TomlTable, path: KeyPath, value: unknown): void {
  let at = table;
  path.forEach((key, index) => {
    if (index === path.length - 1) return defineKey(at, key, value);
    const next = Object.hasOwn(at, key) ? at[key] : undefined;
    const child = isTable(next) ? next : emptyTable();
    defineKey(at, key, child);
    at = child;
  });
}

/** A table without a prototype, so that no key is special. */
export function emptyTable(): TomlTable {
  return Object.create(null) as TomlTable;
}

/** Sets an own property whatever the key is called. */
export function defineKey(table: TomlTable, key: string, value: unknown): void {
  Object.defineProperty(table, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** A key as TOML would spell it: `model_providers.mock.name`, `projects."/home/me"`. */
export function formatKey(path: KeyPath): string {
  return path.map((key) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key))).join(".");
}
