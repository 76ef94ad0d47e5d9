import * as z from "zod";
import { formatKey, type KeyPath } from "./toml-table.ts";

/**
 * What somebody who wrote the unknown key `path` may have meant, as a key in TOML spelling: the same word in another
 * place first, then the most alike one in the same table.
 */
export function suggestKey(schema: z.ZodType, path: KeyPath): string | undefined {
  const word = path.at(-1) ?? "";
  const table = path.slice(0, -1);
  const topLevel = knownKeysAt(schema, []);
  // A key below a [table] line belongs to that table, which people forget.
  if (table.length > 0 && topLevel.includes(word))
    return `${word}\` at top level, above the first \`[table]`;
  const holder = topLevel.find(
    (key) => key !== "features" && knownKeysAt(schema, [key]).includes(word),
  );
  if (holder !== undefined && holder !== table[0]) return formatKey([holder, word]);
  const nearest = nearestWord(word, knownKeysAt(schema, table));
  return nearest === undefined ? undefined : formatKey([...table, nearest]);
}

/** The end of a message that offers `word`, or nothing. */
export function didYouMean(word: string | undefined): string {
  return word === undefined ? "" : `; did you mean \`${word}\`?`;
}

/** The candidate most like `word`, or undefined when none is like it. */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.floor(word.length / 3));
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > limit) continue;
    const distance = editDistance(word, candidate);
    if (distance <= limit && distance < (best?.distance ?? Infinity))
      best = { candidate, distance };
  }
  return best?.candidate;
}

/** The keys a schema knows at `path`; empty where every key is allowed or there is no table. */
function knownKeysAt(schema: z.ZodType, path: KeyPath): readonly string[] {
  const at = schemaAt(schema, path);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

/** Looks through optionals, tables, maps and lists. */
function schemaAt(schema: z.ZodType, path: KeyPath): unknown {
  let at = unwrap(schema);
  for (const key of path) {
    if (at instanceof z.ZodObject) at = (at.shape as Record<string, unknown>)[key];
    else if (at instanceof z.ZodRecord) at = at.valueType;
    else if (at instanceof z.ZodArray) at = at.element;
    else return undefined;
    at = unwrap(at);
  }
  return at;
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replace, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
