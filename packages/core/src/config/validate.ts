import type * as z from "zod";
import { ConfigError } from "./config-error.ts";
import { ConfigToml } from "./config-toml.ts";
import { describeIssue, missingField } from "./describe-issue.ts";
import { type KeyPlace, locatedMessage, placeOf, valueError } from "./diagnostics.ts";
import { didYouMean, suggestKey } from "./known-keys.ts";
import { type ConfigLayer, type MergedLayers, originOf } from "./layers.ts";
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

  const paths = first.error.issues.flatMap(unknownKeysOf);
  const unknown = describeUnknown(paths, merged);
  if (isStrict && unknown[0] !== undefined) throw unknownKeyError(unknown[0]);
  const second = parse(paths.reduce(withoutKey, merged.table));
  if (!second.success) return throwTypeError(layers, second.error.issues);
  return { toml: second.data, warnings: unknown.map(unknownKeyWarning) };
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
  if (issue.message !== missingField) return valueError("type", issue.message, { layer, path });
  const text = `missing field \`${path.at(-1)}\``;
  return valueError("type", text, { layer, path: path.slice(0, -1) });
}

interface UnknownKey {
  readonly path: KeyPath;
  readonly place: KeyPlace | undefined;
  /** `unknown key ... did you mean ...?` in two halves. */
  readonly text: string;
  readonly hint: string;
}

/** The unknown keys in the order of a reader: file by file, line by line. */
function describeUnknown(paths: readonly KeyPath[], { origins }: MergedLayers): UnknownKey[] {
  const keys = paths.flatMap((path): UnknownKey[] => {
    const layer = originOf(origins, path);
    // What a profile's table holds is reported where it stands.
    if (layer?.kind === "profile" && layer.source === undefined) return [];
    const place = placeOf(layer, path);
    const text = `unknown key \`${formatKey(path)}\`${place === undefined ? " (set by -c)" : ""}`;
    return [{ path, place, text, hint: didYouMean(suggestKey(ConfigToml, path)) }];
  });
  return keys.toSorted((a, b) => compare(placeKey(a), placeKey(b)));
}

/** Sorts by file and line; -c comes last. */
function placeKey({ place }: UnknownKey): string {
  return place === undefined
    ? "\uffff"
    : `${place.file}\0${String(place.position.key.line).padStart(9, "0")}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function unknownKeyWarning({ place, text, hint }: UnknownKey): string {
  const where =
    place === undefined
      ? ""
      : `${place.file}:${place.position.key.line}:${place.position.key.column}: `;
  return `${where}${text} is ignored${hint}`;
}

function unknownKeyError({ place, text, hint }: UnknownKey): ConfigError {
  const heading = "Error loading config.toml:";
  if (place === undefined) return new ConfigError("unknownKey", `${heading} ${text}${hint}`);
  const location = { file: place.file, ...place.position.key };
  const message = locatedMessage(location, place.source, `${text}${hint}`);
  return new ConfigError("unknownKey", `${heading}\n${message}`, { location });
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
