import { decodeLossy, takeBytes } from "../utf8.ts";

/** Bytes of a line that are shown; the rest is left out without a mark. */
const maxShownBytes = 500;

/** Bytes of a line that are looked at. 500 shown bytes come from at most 503; the rest leaves room for deep indents. */
const maxKeptBytes = 4096;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Bytes in, lines out, one at a time: split at `\n`, one `\r` before it dropped, also from a last line that has no
 * `\n`; after a final `\n` there is no further line. Of a line longer than 4 KiB only the beginning is given.
 */
export class LineSplitter {
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #lastByte: number | undefined;

  *push(block: Uint8Array): Generator<Uint8Array, void, undefined> {
    let start = 0;
    for (;;) {
      const end = block.indexOf(lineFeed, start);
      if (end === -1) break;
      this.#keep(block.subarray(start, end));
      yield this.#take();
      start = end + 1;
    }
    this.#keep(block.subarray(start));
  }

  /** The last line, if the bytes did not end with `\n`. */
  *end(): Generator<Uint8Array, void, undefined> {
    if (this.#lastByte !== undefined) yield this.#take();
  }

  #keep(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#lastByte = part.at(-1);
    const room = maxKeptBytes - this.#pendingBytes;
    const kept = part.length > room ? part.subarray(0, room) : part;
    this.#pending.push(kept);
    this.#pendingBytes += kept.length;
  }

  #take(): Uint8Array {
    const line = this.#pending.length === 1 ? this.#pending[0]! : Buffer.concat(this.#pending);
    const endsWithReturn = this.#lastByte === carriageReturn && line.length < maxKeptBytes;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#lastByte = undefined;
    return endsWithReturn ? line.subarray(0, -1) : line;
  }
}

/** `L<number>: <text>`. */
export function showLine(number: number, line: Uint8Array): string {
  return `L${number}: ${takeBytes(decodeLossy(line), maxShownBytes)}`;
}

/** Takes a file's lines in order and makes the answer of them. */
export interface LineReader {
  /** False when no further line is wanted. */
  take(line: Uint8Array): boolean;
  /** The shown lines. Throws `RespondToModelError` when the file is too short for what was asked. */
  finish(): string[];
}
