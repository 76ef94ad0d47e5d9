import { ConfigError, type ConfigErrorKind, type ConfigErrorLocation } from "./config-error.ts";
import { type KeyPosition, locateKey } from "./source-position.ts";
import { formatKey, type KeyPath } from "./toml-table.ts";

/**
 * A message with its place: `file:line:column: message`, then the source line with carets under the range.
 */
export function locatedMessage(
  location: ConfigErrorLocation,
  source: string,
  message: string,
): string {
  const { file, line, column, endColumn } = location;
  const text = source.split(/\r?\n/)[line - 1] ?? "";
  const gutter = " ".repeat(String(line).length + 1);
  // Tabs stay tabs so that the carets stand under what they point at.
  const indent = text.slice(0, column - 1).replace(/[^\t]/g, " ");
  const carets = "^".repeat(Math.max(1, endColumn - column));
  return [
    `${file}:${line}:${column}: ${message}`,
    `${gutter}|`,
    `${line} | ${text}`,
    `${gutter}| ${indent}${carets}`,
  ].join("\n");
}

/** A layer as far as a place in it can be shown: one that is a file has both. */
export interface Locatable {
  readonly file?: string;
  readonly source?: string;
}

export interface KeyPlace {
  readonly file: string;
  readonly source: string;
  readonly position: KeyPosition;
}

/** Where `path` stands in the layer's file; undefined when the layer is no file. */
export function placeOf(layer: Locatable | undefined, path: KeyPath): KeyPlace | undefined {
  if (layer?.file === undefined || layer.source === undefined) return undefined;
  const position = locateKey(layer.source, path);
  return position && { file: layer.file, source: layer.source, position };
}

/** A {@link ConfigError} that points at the value of `path` in the layer's file, or names the key where there is no file. */
export function valueError(
  kind: ConfigErrorKind,
  text: string,
  at: { readonly layer: Locatable | undefined; readonly path: KeyPath },
): ConfigError {
  const place = placeOf(at.layer, at.path);
  if (place === undefined)
    return new ConfigError(
      kind,
      `Error loading config.toml: ${text}\nin \`${formatKey(at.path)}\``,
    );
  const { file, source, position } = place;
  const location = { file, ...(position.value ?? position.key) };
  const message = `Error loading config.toml:\n${locatedMessage(location, source, text)}`;
  return new ConfigError(kind, message, { location });
}
