import { decodeLossy } from "../utf8.ts";

const byteOrderMark = [0xef, 0xbb, 0xbf];
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

export type LineEnding = "\n" | "\r\n" | "";

/** Where a line's bytes are in the file. */
export interface FileLine {
  readonly start: number;
  /** The line ending included. */
  readonly end: number;
  /** Empty only on a last line that has none. */
  readonly ending: LineEnding;
}

/** A file as lines to compare and bytes to keep: a line that is not changed keeps its very bytes. */
export interface TextFile {
  readonly bytes: Uint8Array;
  /** Where the first line starts: behind a byte order mark, if there is one. */
  readonly start: number;
  readonly lines: readonly FileLine[];
  /** The lines without their endings, for comparing; U+FFFD where the bytes are not UTF-8, as the model has seen them. */
  readonly texts: readonly string[];
}

export function parseTextFile(bytes: Uint8Array): TextFile {
  const start = byteOrderMark.every((byte, index) => bytes[index] === byte)
    ? byteOrderMark.length
    : 0;
  const lines: FileLine[] = [];
  for (let at = start; at < bytes.length;) {
    const found = bytes.indexOf(lineFeed, at);
    const end = found === -1 ? bytes.length : found + 1;
    lines.push({ start: at, end, ending: found === -1 ? "" : endingAt(bytes, at, found) });
    at = end;
  }
  // No invalid sequence reaches over a line feed, so decoding the whole gives the same lines.
  const texts = decodeLossy(bytes.subarray(start)).split("\n").slice(0, lines.length);
  return {
    bytes,
    start,
    lines,
    texts: texts.map((text, index) => (lines[index]?.ending === "\r\n" ? text.slice(0, -1) : text)),
  };
}

function endingAt(bytes: Uint8Array, start: number, lineFeedAt: number): LineEnding {
  return lineFeedAt > start && bytes[lineFeedAt - 1] === carriageReturn ? "\r\n" : "\n";
}
