import { printable } from "./printable.ts";

/** A text as one printable line of at most `maxLength` UTF-16 units; a surrogate pair is kept whole or left out. */
export function oneLine(text: string, maxLength = 200): string {
  const line = printable(text.slice(0, maxLength * 20))
    .replaceAll(/\s+/g, " ")
    .trim();
  if (line.length <= maxLength) return line;
  return `${line.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
