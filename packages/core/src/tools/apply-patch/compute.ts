import { LineMatcher, type Place, type Range } from "./match.ts";
import type { Chunk, ChunkLine } from "./parse.ts";
import { PatchError } from "./patch-error.ts";
import { type Edit, renderEdits } from "./render.ts";
import { parseTextFile } from "./text-file.ts";

/**
 * The file after the chunks, in their order. Bytes of lines that are not removed stay what they are, context lines
 * too. Throws {@link PatchError} when a chunk's place cannot be told. `path` is for the messages.
 */
export function computeUpdate(
  path: string,
  bytes: Uint8Array,
  chunks: readonly Chunk[],
): Uint8Array {
  const file = parseTextFile(bytes);
  const search = new ChunkSearch(path, file.texts);
  return renderEdits(
    file,
    chunks.map((chunk) => search.locate(chunk)),
  );
}

/** Places chunks one after the other, each behind the one before. */
class ChunkSearch {
  readonly #path: string;
  readonly #texts: readonly string[];
  readonly #matcher: LineMatcher;
  readonly #taken: Range[] = [];
  #at = 0;

  constructor(path: string, texts: readonly string[]) {
    this.#path = path;
    this.#texts = texts;
    this.#matcher = new LineMatcher(texts);
  }

  locate(chunk: Chunk): Edit {
    if (chunk.context !== undefined) this.#goTo(chunk.context);
    if (oldTexts(chunk.lines).length === 0)
      return { start: this.#appendPosition(), lines: chunk.lines };
    const { place, lines } = this.#find(chunk);
    this.#accept(place, oldTexts(lines));
    return { start: place.start, lines };
  }

  #goTo(context: string): void {
    const place = this.#matcher.find([context], this.#at, this.#taken);
    if (place === undefined)
      throw new PatchError(`Failed to find context '${context}' in ${this.#path}`);
    this.#accept(place, [context]);
  }

  #find(chunk: Chunk): { place: Place; lines: readonly ChunkLine[] } {
    for (const lines of [chunk.lines, withoutTrailingBlank(chunk.lines)]) {
      const place = lines && this.#findLines(oldTexts(lines), chunk.isEndOfFile);
      if (place) return { place, lines };
    }
    throw new PatchError(
      `Failed to find expected lines in ${this.#path}:\n${oldTexts(chunk.lines).join("\n")}`,
    );
  }

  #findLines(pattern: readonly string[], isEndOfFile: boolean): Place | undefined {
    const last = this.#texts.length - pattern.length;
    if (!isEndOfFile) return this.#matcher.find(pattern, this.#at, this.#taken);
    if (last < this.#at) return undefined;
    const place = this.#matcher.find(pattern, last, this.#taken);
    return place && { ...place, stricter: undefined };
  }

  #accept(place: Place, pattern: readonly string[]): void {
    if (place.stricter !== undefined)
      throw new PatchError(
        `Ambiguous lines in ${this.#path}: line ${place.start + 1} repeats them only loosely, line ${place.stricter + 1} more exactly. Give more context, chunks in the order of the file:\n${pattern.join("\n")}`,
      );
    this.#taken.push(place);
    this.#at = place.start + place.count;
  }

  /** Behind the last line, but before a blank last line. */
  #appendPosition(): number {
    return this.#texts.length - (this.#texts.at(-1) === "" ? 1 : 0);
  }
}

function oldTexts(lines: readonly ChunkLine[]): string[] {
  return lines.filter(({ kind }) => kind !== "added").map(({ text }) => text);
}

/**
 * A blank line at the end of a chunk is often none of the file: the chunk without it, if it has one. With added lines
 * behind it, the blank line is one of them.
 */
function withoutTrailingBlank(lines: readonly ChunkLine[]): readonly ChunkLine[] | undefined {
  const at = lines.findLastIndex(({ kind }) => kind !== "added");
  const blank = lines[at];
  if (blank?.text !== "") return undefined;
  const added = lines.slice(at + 1);
  if (blank.kind === "context" && added.length > 0)
    return lines.with(at, { kind: "added", text: "" });
  const kept = added.at(-1)?.text === "" ? added.slice(0, -1) : added;
  return [...lines.slice(0, at), ...kept];
}
