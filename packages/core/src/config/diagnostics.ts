import type { ConfigErrorLocation } from "./config-error.ts";

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
