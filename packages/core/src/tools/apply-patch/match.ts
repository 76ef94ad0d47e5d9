/** How two lines are compared, strictest first; a level is tried over the whole range before the next. */
const levels: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => toAscii(line.trim()),
];

const typographic: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u2018-\u201B]/g, "'"],
  [/[\u201C-\u201F]/g, '"'],
  [/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, " "],
];

export interface Range {
  readonly start: number;
  readonly count: number;
}

/** A place where a pattern was found. */
export interface Place extends Range {
  /**
   * A place that lies elsewhere, outside what was searched or further on, and repeats the pattern more exactly than
   * this one: then nobody can tell which is meant.
   */
  readonly stricter: number | undefined;
}

/** Finds runs of lines in a file. */
export class LineMatcher {
  readonly #texts: (readonly string[])[];

  constructor(texts: readonly string[]) {
    this.#texts = [texts];
  }

  /** The first place at or after line `from` (0-based). `taken` lines belong to others and are no rival place. */
  find(pattern: readonly string[], from: number, taken: readonly Range[]): Place | undefined {
    const count = pattern.length;
    for (let level = 0; level < levels.length; level += 1) {
      const start = this.#search(pattern, level, from);
      if (start === undefined) continue;
      const stricter = level === 0 ? undefined : this.#stricter(pattern, level, { start, taken });
      return { start, count, stricter };
    }
    return undefined;
  }

  #search(pattern: readonly string[], level: number, from: number): number | undefined {
    const wanted = pattern.map(levels[level]!);
    const texts = this.#at(level);
    for (let start = from; start + wanted.length <= texts.length; start += 1)
      if (wanted.every((line, index) => texts[start + index] === line)) return start;
    return undefined;
  }

  #stricter(
    pattern: readonly string[],
    level: number,
    found: { readonly start: number; readonly taken: readonly Range[] },
  ): number | undefined {
    const looseness = this.#looseness(pattern, found.start);
    const blocked = [...found.taken, { start: found.start, count: pattern.length }];
    for (let start = 0; ; start += 1) {
      const next = this.#search(pattern, level, start);
      if (next === undefined) return undefined;
      start = next;
      if (blocked.some((range) => overlap(range, { start, count: pattern.length }))) continue;
      if (this.#looseness(pattern, start) < looseness) return start;
    }
  }

  /** 0 for an exact repetition, more the further its lines are from one. */
  #looseness(pattern: readonly string[], start: number): number {
    let sum = 0;
    for (const [index, line] of pattern.entries())
      sum += levels.findIndex((level, at) => this.#at(at)[start + index] === level(line));
    return sum;
  }

  #at(level: number): readonly string[] {
    return (this.#texts[level] ??= this.#texts[0]!.map(levels[level]!));
  }
}

function overlap(a: Range, b: Range): boolean {
  return a.start < b.start + b.count && b.start < a.start + a.count;
}

function toAscii(line: string): string {
  return typographic.reduce((text, [from, to]) => text.replace(from, to), line);
}
