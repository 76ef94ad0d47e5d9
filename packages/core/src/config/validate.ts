import type * as z from "zod";
import { ConfigError } from "./config-error.ts";
import { ConfigToml } from "./config-toml.ts";
import { describeIssue, missingField } from "./describe-issue.ts";
import { locatedMessage } from "./diagnostics.ts";
import { didYouMean, suggestKey } from "./known-keys.ts";
import { type ConfigLayer, type MergedLayers, originOf } from "./layers.ts";
import { type KeyPosition, locateKey } from "./source-position.ts";
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
  if (first.error.issues.some(isTypeIssue)) throwTypeError(layers, first.error.issues);

  const unknown = first.error.issues.flatMap(unknownKeysOf);
  const warnings = unknown.flatMap((path) => unknownKeyMessage(merged, path, isStrict) ?? []);
  const second = parse(unknown.reduce(withoutKey, merged.table));
  if (!second.success) return throwTypeError(layers, second.error.issues);
  return { toml: second.data, warnings };
}

type Issue = z.core.$ZodIssue;

function parse(table: TomlTable): z.ZodSafeParseResult<ConfigToml> {
  // Compiling the schema costs more than the few parses of a run.
  return ConfigToml.safeParse(table, { error: describeIssue, jitless: true });
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
  const isMissing = issue.message === missingField;
  const key = isMissing ? path.slice(0, -1) : path;
  const text = isMissing ? `missing field \`${path.at(-1)}\`` : issue.message;
  const place = layer && placeOf(layer, key);
  if (place === undefined)
    return new ConfigError("type", `Error loading config.toml: ${text}\nin \`${formatKey(key)}\``);
  const { file, source, position } = place;
  const location = { file, ...(position.value ?? position.key) };
  const located = locatedMessage(location, source, text);
  return new ConfigError("type", `Error loading config.toml:\n${located}`, { location });
}

function unknownKeyMessage(
  merged: MergedLayers,
  path: KeyPath,
  isStrict: boolean,
): string | undefined {
  const layer = originOf(merged.origins, path);
  // What a profile's table holds is reported where it stands.
  if (layer?.kind === "profile" && layer.source === undefined) return undefined;
  const hint = didYouMean(suggestKey(ConfigToml, path));
  const key = `unknown key \`${formatKey(path)}\``;
  const place = layer && placeOf(layer, path);
  if (place === undefined) {
    if (isStrict)
      throw new ConfigError("unknownKey", `Error loading config.toml: ${key} (set by -c)${hint}`);
    return `${key} (set by -c) is ignored${hint}`;
  }
  const location = { file: place.file, ...place.position.key };
  const { file, line, column } = location;
  if (!isStrict) return `${file}:${line}:${column}: ${key} is ignored${hint}`;
  const text = locatedMessage(location, place.source, `${key}${hint}`);
  throw new ConfigError("unknownKey", `Error loading config.toml:\n${text}`, { location });
}

function placeOf(
  { file, source }: ConfigLayer,
  path: KeyPath,
): { file: string; source: string; position: KeyPosition } | undefined {
  if (file === undefined || source === undefined) return undefined;
  const position = locateKey(source, path);
  return position && { file, source, position };
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
