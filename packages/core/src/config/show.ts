import { stringify } from "smol-toml";
import type { Config } from "./config.ts";
import type { LoadedConfig } from "./load.ts";
import type { ConfigLayer, LayerKind } from "./layers.ts";
import { formatKey, isTable, type KeyPath, type TomlTable } from "./toml-table.ts";

/** One effective value and where it comes from. */
export interface ShownValue {
  /** In TOML spelling. */
  readonly key: string;
  /** As in the file; secrets are `"***"`. */
  readonly value: unknown;
  readonly layer: LayerKind | "variable";
  /** The file, the profile's name or the variable's name, where the layer has one. */
  readonly source?: string;
}

/** Every effective value, sorted by key; the profiles nobody chose are no values. */
export function shownValues(loaded: LoadedConfig): readonly ShownValue[] {
  const shown = new Map<string, ShownValue>();
  for (const [path, value] of leaves(loaded.table, [])) {
    const key = formatKey(path);
    const layer = loaded.origins.get(key);
    if (path[0] === "profiles" || layer === undefined) continue;
    shown.set(key, { key, value: withoutSecret(path, value), ...placeOf(layer) });
  }
  for (const value of derivedValues(loaded))
    if (shown.get(value.key)?.value !== value.value) shown.set(value.key, value);
  return [...shown.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** One line per value: `key = value  # layer source`. */
export function shownValuesText(values: readonly ShownValue[]): string {
  const lines = values.map(({ key, value, layer, source }) => {
    const name = layer === "override" ? "-c" : layer;
    return `${key} = ${tomlValue(value)}  # ${source === undefined ? name : `${name} ${source}`}`;
  });
  return `${lines.join("\n")}\n`;
}

/** What has a value although no key sets it, or another value than its key, because it depends on something else. */
function derivedValues({ config, origins, table }: LoadedConfig): ShownValue[] {
  const isOss = config.modelProvider.id !== table["model_provider"];
  return [
    { key: "model", value: config.model, layer: "default" },
    { key: "model_provider", value: config.modelProvider.id, layer: isOss ? "flag" : "default" },
    { key: "sandbox_mode", value: config.sandbox.mode, layer: "default" },
    { key: "web_search", value: config.webSearch, layer: "default" },
    ...(origins.has("environment") ? [] : [derivedEnvironment(config, { origins, table })]),
  ];
}

/** The environment of a run whose `environment` key is not set: by the seed's keys, the variable, or neither. */
function derivedEnvironment(
  { environment }: Config,
  { origins, table }: Pick<LoadedConfig, "origins" | "table">,
): ShownValue {
  const key = "environment";
  const value = "name" in environment ? environment.name : environment.kind;
  const useKey = "experimental_unified_exec_use_exec_server";
  const layer = origins.get(useKey);
  if (table[useKey] === true && layer !== undefined) return { key, value, ...placeOf(layer) };
  if (environment.kind === "local") return { key, value, layer: "default" };
  return { key, value, layer: "variable", source: "CODEX_EXEC_SERVER_URL" };
}

function* leaves(table: TomlTable, path: KeyPath): Generator<[KeyPath, unknown]> {
  for (const [key, value] of Object.entries(table)) {
    const at = [...path, key];
    if (isTable(value)) yield* leaves(value, at);
    else yield [at, value];
  }
}

function placeOf(layer: ConfigLayer): Pick<ShownValue, "layer" | "source"> {
  const source = layer.file ?? layer.profile;
  return { layer: layer.kind, ...(source === undefined ? {} : { source }) };
}

const mask = "***";
const secrets = [
  /^model_providers\.[^.]+\.(experimental_bearer_token|http_headers|query_params)\b/,
  /^mcp_servers\.[^.]+\.(env|http_headers|bearer_token)\b/,
  /^shell_environment_policy\.set\./,
];

function withoutSecret(path: KeyPath, value: unknown): unknown {
  // Only the parts before a free name are looked at, so the name's spelling does not matter.
  const key = path.map((part) => part.replaceAll(".", "_")).join(".");
  if (secrets.some((secret) => secret.test(key))) return mask;
  if (typeof value !== "string") return value;
  return value.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@\s]+@/i, `$1${mask}@`);
}

function tomlValue(value: unknown): string {
  return stringify({ value })
    .replace(/^value = /, "")
    .trimEnd();
}
