import type * as z from "zod";
import { ConfigError } from "./config-error.ts";
import { ConfigToml } from "./config-toml.ts";
import { describeIssue } from "./describe-issue.ts";
import { locatedMessage } from "./diagnostics.ts";
import { knownKeysAt, nearestWord } from "./known-keys.ts";
import { type ConfigLayer, type MergedLayers, originOf } from "./layers.ts";
import { locateKey } from "./source-position.ts";
import { formatKey, isTable, type KeyPath, type TomlTable, valueAt } from "./toml-table.ts";

export interface ValidConfig {
  readonly toml: ConfigToml;
  /** One per unknown key. */
  readonly warnings: readonly string[];
}

/**
 * Gives the merged layers their types. A value of the wrong type throws a {@link ConfigError} of kind `type` that
 * points at the lowest layer that is wrong by itself. An unknown key is a warning, or of kind `unknownKey` when strict.
 */
export function validateLayers(
  layers: readonly ConfigLayer[],
  merged: MergedLayers,
  isStrict: boolean,
): ValidConfig {
  const first = parse(merged.table);
  if (first.success) return { toml: first.data, warnings: [] };
  const unknown = first.error.issues.flatMap(unknownKeysOf);
  if (unknown.length < first.error.issues.length || first.error.issues.some(isTypeIssue))
    throwTypeError(layers, first.error.issues);

  const warnings = unknown.flatMap((path) => unknownKeyMessage(merged, path, isStrict) ?? []);
  const second = parse(unknown.reduce(withoutKey, merged.table));
  if (!second.success) return throwTypeError(layers, second.error.issues);
  return { toml: second.data, warnings };
}

type Issue = z.core.$ZodIssue;

function parse(table: TomlTable): z.ZodSafeParseResult<ConfigToml> {
  return ConfigToml.safeParse(table, { error: describeIssue });
}

function isTypeIssue(issue: Issue): boolean {
  return issue.code !== "unrecognized_keys";
}

function unknownKeysOf(issue: Issue): KeyPath[] {
  if (issue.code !== "unrecognized_keys") return [];
  return issue.keys.map((key) => [...issue.path.map(String), key]);
}

function throwTypeError(layers: readonly ConfigLayer[], mergedIssues: readonly Issue[]): never {
  for (const layer of layers) {
    const parsed = parse(layer.table);
    const issue = parsed.success ? undefined : parsed.error.issues.find(isTypeIssue);
    if (issue !== undefined && layer.source !== undefined) throw typeError(issue, layer);
  }
  throw typeError(mergedIssues.find(isTypeIssue)!, undefined);
}

function typeError(issue: Issue, layer: ConfigLayer | undefined): ConfigError {
  const path = issue.path.map(String);
  const isMissing = issue.code === "invalid_type" && issue.message === "missing field";
  const key = isMissing ? path.slice(0, -1) : path;
  const text = isMissing ? `missing field \`${path.at(-1)}\`` : issue.message;
  const position = layer?.source === undefined ? undefined : locateKey(layer.source, key);
  if (layer?.file === undefined || layer.source === undefined || position === undefined)
    return new ConfigError("type", `Error loading config.toml: ${text}\nin \`${formatKey(key)}\``);
  const location = { file: layer.file, ...(position.value ?? position.key) };
  return new ConfigError(
    "type",
    `Error loading config.toml:\n${locatedMessage(location, layer.source, text)}`,
    { location },
  );
}

/** Undefined for the copy of a profile's key that its own table already reports. */
function unknownKeyMessage(
  merged: MergedLayers,
  path: KeyPath,
  isStrict: boolean,
): string | undefined {
  const layer = originOf(merged.origins, path);
  const nearest = nearestWord(path.at(-1)!, knownKeysAt(ConfigToml, path.slice(0, -1)));
  const hint = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
  const key = `unknown key \`${formatKey(path)}\``;
  const position = layer?.source === undefined ? undefined : locateKey(layer.source, path);
  if (layer?.file === undefined || layer.source === undefined || position === undefined) {
    if (isStrict)
      throw new ConfigError("unknownKey", `Error loading config.toml: ${key} (set by -c)${hint}`);
    return `${key} (set by -c) is ignored${hint}`;
  }
  const location = { file: layer.file, ...position.key };
  if (!isStrict)
    return `${layer.file}:${location.line}:${location.column}: ${key} is ignored${hint}`;
  const text = locatedMessage(location, layer.source, `${key}${hint}`);
  throw new ConfigError("unknownKey", `Error loading config.toml:\n${text}`, { location });
}

function withoutKey(table: TomlTable, path: KeyPath): TomlTable {
  const [key, ...rest] = path;
  const copy: TomlTable = { ...table };
  if (key === undefined) return copy;
  const child = valueAt(table, [key]);
  if (rest.length > 0 && isTable(child)) copy[key] = withoutKey(child, rest);
  else delete copy[key];
  return copy;
}
