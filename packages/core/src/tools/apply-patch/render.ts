import type { ChunkLine } from "./parse.ts";
import type { LineEnding, TextFile } from "./text-file.ts";

/** Lines of a chunk laid over the file from line `start` (0-based) on. */
export interface Edit {
  readonly start: number;
  readonly lines: readonly ChunkLine[];
}

/** A stretch of the file that stays, or a line that comes in. */
type Piece =
  | { readonly from: number; readonly to: number }
  | { readonly text: string; readonly ending: LineEnding };

/**
 * The file's bytes with the edits made. An added line gets the ending of the line it stands for, else of the line
 * before it; one that comes to stand at the end of a file without a final line ending has none either.
 */
export function renderEdits(file: TextFile, edits: readonly Edit[]): Uint8Array {
  const renderer = new Renderer(file);
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) renderer.edit(edit);
  return renderer.finish();
}

class Renderer {
  readonly #file: TextFile;
  /** For added lines next to nothing that could tell. */
  readonly #defaultEnding: LineEnding;
  readonly #pieces: Piece[] = [];
  /** The next line of the file. */
  #at = 0;
  /** Endings of removed lines no added line stands for yet. */
  #removed: LineEnding[] = [];

  constructor(file: TextFile) {
    this.#file = file;
    this.#defaultEnding = file.lines[0]?.ending || "\n";
  }

  edit({ start, lines }: Edit): void {
    this.#keepUntil(start);
    for (const { kind, text } of lines) {
      if (kind === "context") this.#keepUntil(this.#at + 1);
      else if (kind === "removed") this.#remove();
      else this.#add(text);
    }
  }

  finish(): Uint8Array {
    const { bytes, start, lines } = this.#file;
    this.#keepUntil(lines.length);
    const parts = this.#pieces.map((piece, index) => {
      const isLast = index === this.#pieces.length - 1;
      return "text" in piece ? this.#addedBytes(piece, isLast) : this.#keptBytes(piece, isLast);
    });
    return Buffer.concat([bytes.subarray(0, start), ...parts.flat()]);
  }

  #keepUntil(line: number): void {
    if (line <= this.#at) return;
    this.#pieces.push({ from: this.#at, to: line });
    this.#at = line;
    this.#removed = [];
  }

  #remove(): void {
    this.#removed.push(this.#file.lines[this.#at]?.ending ?? "");
    this.#at += 1;
  }

  #add(text: string): void {
    const { lines } = this.#file;
    const beside = lines[this.#at - 1] ?? lines[this.#at];
    const ending = this.#removed.shift() ?? beside?.ending;
    this.#pieces.push({ text, ending: ending || this.#defaultEnding });
  }

  #addedBytes({ text, ending }: Extract<Piece, { text: string }>, isLast: boolean): Uint8Array[] {
    const hasFinalEnding = this.#file.lines.at(-1)?.ending !== "";
    return [Buffer.from(isLast && !hasFinalEnding ? text : text + ending)];
  }

  #keptBytes({ from, to }: Extract<Piece, { from: number }>, isLast: boolean): Uint8Array[] {
    const { bytes, lines } = this.#file;
    const last = lines[to - 1]!;
    const kept = bytes.subarray(lines[from]!.start, last.end);
    return last.ending === "" && !isLast ? [kept, Buffer.from(this.#defaultEnding)] : [kept];
  }
}
