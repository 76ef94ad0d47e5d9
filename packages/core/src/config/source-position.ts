import type { SourceRange } from "./config-error.ts";
import type { KeyPath } from "./toml-table.ts";

export interface KeyPosition {
  readonly key: SourceRange;
  /** The first line of the value; undefined for a table that only has a header. */
  readonly value: SourceRange | undefined;
}

/**
 * Where `path` stands in a TOML text that is known to be valid; the nearest containing key when it has no place of
 * its own. Only asked for when there is something to complain about, so it simply scans the text.
 */
export function locateKey(source: string, path: KeyPath): KeyPosition | undefined {
  const spans = new KeyScanner(source).scan();
  for (let length = path.length; length > 0; length--) {
    const span = spans.get(spanKey(path.slice(0, length)));
    if (span !== undefined) {
      const value = span.value && rangeOf(source, span.value);
      return { key: rangeOf(source, span.key), value };
    }
  }
  return undefined;
}

type Span = readonly [start: number, end: number];
interface KeySpans {
  readonly key: Span;
  readonly value: Span | undefined;
}

function spanKey(path: KeyPath): string {
  return path.join("\0");
}

function rangeOf(source: string, [start, end]: Span): SourceRange {
  const lineStart = source.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = source.slice(start, end).search(/\r?\n/);
  const line = source.slice(0, start).split("\n").length;
  const column = start - lineStart + 1;
  return { line, column, endColumn: column + (lineEnd < 0 ? end - start : lineEnd) };
}

/** Walks keys and values without interpreting them. */
class KeyScanner {
  readonly #text: string;
  #at = 0;
  readonly #spans = new Map<string, KeySpans>();

  constructor(text: string) {
    this.#text = text;
  }

  scan(): Map<string, KeySpans> {
    let table: string[] = [];
    const elements = new Map<string, number>();
    for (this.#skip(); this.#at < this.#text.length; this.#skip()) {
      if (this.#text[this.#at] !== "[") {
        this.#assignment(table);
        continue;
      }
      const isArray = this.#text[this.#at + 1] === "[";
      this.#at += isArray ? 2 : 1;
      const header = this.#keys();
      table = header.path;
      if (isArray) {
        const index = elements.get(spanKey(table)) ?? 0;
        elements.set(spanKey(table), index + 1);
        table = [...table, String(index)];
      }
      this.#record([], header, undefined);
      this.#at += isArray ? 2 : 1;
    }
    return this.#spans;
  }

  #assignment(table: KeyPath): void {
    const keys = this.#keys();
    this.#at++; // the equals sign
    this.#skip();
    const start = this.#at;
    this.#value([...table, ...keys.path]);
    this.#record(table, keys, [start, this.#at]);
  }

  /** Every step of a dotted key gets the place where it is first named. */
  #record(
    table: KeyPath,
    { path, spans }: { path: string[]; spans: Span[] },
    value: Span | undefined,
  ): void {
    spans.forEach((key, index) => {
      const name = spanKey([...table, ...path.slice(0, index + 1)]);
      const isLast = index === path.length - 1;
      if (!this.#spans.has(name)) this.#spans.set(name, { key, value: isLast ? value : undefined });
    });
  }

  /** A possibly dotted key; stops before `=` or `]`. */
  #keys(): { path: string[]; spans: Span[] } {
    const path: string[] = [];
    const spans: Span[] = [];
    for (;;) {
      this.#skip();
      const start = this.#at;
      const quote = this.#text[start];
      if (quote === '"' || quote === "'") {
        this.#string();
        path.push(unquote(this.#text.slice(start, this.#at)));
      } else {
        this.#match(/[\w-]*/y);
        path.push(this.#text.slice(start, this.#at));
      }
      spans.push([start, this.#at]);
      this.#skip();
      if (this.#text[this.#at] !== ".") return { path, spans };
      this.#at++;
    }
  }

  #value(path: KeyPath): void {
    const first = this.#text[this.#at];
    if (first === '"' || first === "'") this.#string();
    else if (first === "[") this.#list("]", (index) => this.#element(path, index));
    else if (first === "{") this.#list("}", () => this.#assignment(path));
    // A date may hold a blank between day and time.
    else this.#match(/\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]*|[^\s,\]}#]*/y);
  }

  #element(path: KeyPath, index: number): void {
    const start = this.#at;
    const at = [...path, String(index)];
    this.#value(at);
    this.#spans.set(spanKey(at), { key: [start, this.#at], value: [start, this.#at] });
  }

  #list(close: string, item: (index: number) => void): void {
    this.#at++;
    for (let index = 0; ; index++) {
      this.#skip();
      if (this.#text[this.#at] === close || this.#at >= this.#text.length) break;
      item(index);
      this.#skip();
      if (this.#text[this.#at] === ",") this.#at++;
    }
    this.#at++;
  }

  #string(): void {
    const text = this.#text.slice(this.#at);
    const isMultiline = text.startsWith('"""') || text.startsWith("'''");
    if (text.startsWith('"""')) this.#match(/"""(?:\\[^]|[^\\])*?"{3,5}(?!")/y);
    else if (isMultiline) this.#match(/'''[^]*?'{3,5}(?!')/y);
    else if (text.startsWith('"')) this.#match(/"(?:\\.|[^"\\])*"/y);
    else this.#match(/'[^']*'/y);
  }

  #skip(): void {
    this.#match(/(?:\s+|#[^\n]*|\uFEFF)*/y);
  }

  #match(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    this.#at += pattern.exec(this.#text)?.[0].length ?? 0;
  }
}

/** The name in a quoted key; escapes other than those of JSON are not met in keys that matter here. */
function unquote(text: string): string {
  if (text.startsWith("'")) return text.slice(1, -1);
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}
