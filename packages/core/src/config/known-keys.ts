import * as z from "zod";
import type { KeyPath } from "./toml-table.ts";

/** The keys a schema knows at `path`; empty where every key is allowed or there is no table. */
export function knownKeysAt(schema: z.ZodType, path: KeyPath): readonly string[] {
  const at = schemaAt(schema, path);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

/** The schema of the value at `path`, looked up through optionals, tables, maps and lists. */
export function schemaAt(schema: z.ZodType, path: KeyPath): z.ZodType | undefined {
  let at: unknown = unwrap(schema);
  for (const key of path) {
    if (at instanceof z.ZodObject) at = (at.shape as Record<string, unknown>)[key];
    else if (at instanceof z.ZodRecord) at = at.valueType;
    else if (at instanceof z.ZodArray) at = at.element;
    else return undefined;
    at = unwrap(at);
  }
  return at instanceof z.ZodType ? at : undefined;
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema;
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
