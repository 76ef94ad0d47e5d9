import { type AbsolutePath, parseAbsolutePath } from "./absolute-path.ts";

/** `file:` URI of a path, percent-encoded. */
export function toFileUri(path: AbsolutePath): string {
  return `file://${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** The path of a `file:` URI (empty host or `localhost`), percent-decoded; undefined for anything else. */
export function parseFileUri(text: string): AbsolutePath | undefined {
  const rest = /^file:\/\/(?:localhost)?(\/[^?#]*)$/i.exec(text)?.[1];
  if (rest === undefined) return undefined;
  try {
    return parseAbsolutePath(decodeURIComponent(rest));
  } catch {
    return undefined;
  }
}

/** A path as a peer may write it: plain and absolute, or a `file:` URI; undefined for anything else. */
export function parseWirePath(text: string): AbsolutePath | undefined {
  return text.startsWith("/") ? parseAbsolutePath(text) : parseFileUri(text);
}
