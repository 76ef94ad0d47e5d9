import { RespondToModelError } from "../tool.ts";
import { type LineReader, showLine } from "./lines.ts";

/** More lines than this are never given at once: at 500 bytes each a bound on memory, far beyond any model's budget. */
export const maxLines = 20_000;

export interface Slice {
  /** 1-based. */
  readonly offset: number;
  readonly limit: number;
}

/** `limit` lines from line `offset` on. */
export class SliceReader implements LineReader {
  readonly #slice: Slice;
  readonly #shown: string[] = [];
  #seen = 0;

  constructor(slice: Slice) {
    this.#slice = slice;
  }

  take(line: Uint8Array): boolean {
    this.#seen += 1;
    if (this.#seen < this.#slice.offset) return true;
    if (this.#shown.length === maxLines) {
      this.#shown.push(`Only ${maxLines} lines are shown at once; go on with offset ${this.#seen}`);
      return false;
    }
    this.#shown.push(showLine(this.#seen, line));
    return this.#shown.length < this.#slice.limit;
  }

  finish(): string[] {
    if (this.#seen < this.#slice.offset)
      throw new RespondToModelError("offset exceeds file length");
    return this.#shown;
  }
}
