import {
  defineKey,
  emptyTable,
  formatKey,
  isTable,
  type KeyPath,
  type TomlTable,
} from "./toml-table.ts";

/** Where a value comes from, lowest precedence first. */
export type LayerKind =
  | "default"
  | "system"
  | "user"
  | "project"
  | "profile"
  | "override" // -c
  | "flag"; // any other flag of the command line

/** One source of settings, its paths already absolute. */
export interface ConfigLayer {
  readonly kind: LayerKind;
  /** Absolute path, where the layer is a file. */
  readonly file?: string;
  /** The file's text. */
  readonly source?: string;
  /** Name of the profile, for that layer. */
  readonly profile?: string;
  readonly table: TomlTable;
}

/** The layer each value comes from, by key in TOML spelling (`tools.update_plan.enabled`). */
export type Origins = ReadonlyMap<string, ConfigLayer>;

export interface MergedLayers {
  readonly table: TomlTable;
  readonly origins: Origins;
}

/** Merges layers, lowest first: tables key by key, anything else (arrays too) replaced by the higher layer. */
export function mergeLayers(layers: readonly ConfigLayer[]): MergedLayers {
  const table = emptyTable();
  const origins = new Map<string, ConfigLayer>();
  for (const layer of layers) mergeInto(table, [], { from: layer.table, layer, origins });
  return { table, origins };
}

/** The layer of the value at `path`, or of the first value below it. */
export function originOf(origins: Origins, path: KeyPath): ConfigLayer | undefined {
  const key = formatKey(path);
  const exact = origins.get(key);
  if (exact !== undefined) return exact;
  for (const [known, layer] of origins) if (known.startsWith(`${key}.`)) return layer;
  return undefined;
}

function mergeInto(
  target: TomlTable,
  path: KeyPath,
  source: { from: TomlTable; layer: ConfigLayer; origins: Map<string, ConfigLayer> },
): void {
  const { from, layer, origins } = source;
  for (const [key, value] of Object.entries(from)) {
    const at = [...path, key];
    const before = Object.hasOwn(target, key) ? target[key] : undefined;
    if (isTable(value)) {
      if (!isTable(before)) origins.delete(formatKey(at));
      const child = isTable(before) ? before : emptyTable();
      defineKey(target, key, child);
      mergeInto(child, at, { ...source, from: value });
    } else {
      if (isTable(before)) forgetBelow(origins, at);
      defineKey(target, key, value);
      origins.set(formatKey(at), layer);
    }
  }
}

function forgetBelow(origins: Map<string, ConfigLayer>, path: KeyPath): void {
  const prefix = `${formatKey(path)}.`;
  for (const key of origins.keys()) if (key.startsWith(prefix)) origins.delete(key);
}
