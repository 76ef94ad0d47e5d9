import { RespondToModelError } from "../tool.ts";
import { decodeLossy } from "../utf8.ts";
import { type LineReader, showLine } from "./lines.ts";
import { maxLines } from "./slice.ts";

const tabColumns = 4;
const commentPrefixes = ["#", "//", "--"];

export interface Block {
  /** The line the block is built around, 1-based. */
  readonly anchor: number;
  /** Never more lines than this. */
  readonly limit: number;
  /** How many levels of four columns may be left outwards; 0: all. */
  readonly maxLevels: number;
  readonly includeSiblings: boolean;
  /** Comments directly above the block belong to it. */
  readonly includeHeader: boolean;
}

interface IndentedLine {
  readonly text: string;
  readonly isBlank: boolean;
  readonly isComment: boolean;
  /** Columns; a blank line has those of the line before it. */
  readonly indent: number;
}

/** The block of lines around an anchor, told by their indent. Keeps no more lines than can be part of the answer. */
export class IndentationReader implements LineReader {
  readonly #block: Block;
  readonly #limit: number;
  #window: IndentedLine[] = [];
  #seen = 0;
  #indent = 0;

  constructor(block: Block) {
    this.#block = block;
    this.#limit = Math.min(block.limit, maxLines);
  }

  take(line: Uint8Array): boolean {
    this.#seen += 1;
    const described = this.#describe(line);
    this.#indent = described.indent;
    this.#window.push(described);
    const { anchor } = this.#block;
    if (this.#seen < anchor && this.#window.length >= 2 * this.#limit)
      this.#window = this.#window.slice(-this.#limit);
    return this.#seen < anchor + this.#limit;
  }

  finish(): string[] {
    if (this.#seen < this.#block.anchor)
      throw new RespondToModelError("anchor_line exceeds file length");
    const anchor = this.#window.length - 1 - (this.#seen - this.#block.anchor);
    const cap = Math.min(this.#limit, this.#window.length);
    return blockAround(this.#window, anchor, { ...this.#block, limit: cap }).map(
      ({ text }) => text,
    );
  }

  #describe(bytes: Uint8Array): IndentedLine {
    const text = decodeLossy(bytes);
    const trimmed = text.trim();
    const isBlank = trimmed === "";
    return {
      text: showLine(this.#seen, bytes),
      isBlank,
      isComment: commentPrefixes.some((prefix) => trimmed.startsWith(prefix)),
      indent: isBlank ? this.#indent : columns(text),
    };
  }
}

function columns(text: string): number {
  let count = 0;
  for (const character of text) {
    if (character === "\t") count += tabColumns;
    else if (character === " ") count += 1;
    else break;
  }
  return count;
}

/** Grows from the anchor, one line up and one line down in turn, until both ways are barred or the limit is reached. */
function blockAround(
  lines: readonly IndentedLine[],
  anchor: number,
  block: Block,
): readonly IndentedLine[] {
  const bar =
    block.maxLevels === 0
      ? 0
      : Math.max(0, (lines[anchor]?.indent ?? 0) - tabColumns * block.maxLevels);
  if (block.limit === 1) return lines.slice(anchor, anchor + 1);
  const above = new Way(lines, bar, block, -1);
  const below = new Way(lines, bar, block, 1);
  let [first, last] = [anchor, anchor];
  for (;;) {
    const [reachedUp, reachedDown] = [first, last];
    if (last - first + 1 < block.limit) first = above.step(first);
    if (last - first + 1 < block.limit) last = below.step(last);
    if (first === reachedUp && last === reachedDown) break;
  }
  while (first < last && lines[first]?.isBlank) first += 1;
  while (last > first && lines[last]?.isBlank) last -= 1;
  return lines.slice(first, last + 1);
}

/** One of the two directions: which line may be taken next, and whether the way has ended. */
class Way {
  readonly #lines: readonly IndentedLine[];
  readonly #bar: number;
  readonly #block: Block;
  readonly #direction: 1 | -1;
  #takenAtBar = 0;
  #hasEnded = false;

  constructor(lines: readonly IndentedLine[], bar: number, block: Block, direction: 1 | -1) {
    this.#lines = lines;
    this.#bar = bar;
    this.#block = block;
    this.#direction = direction;
  }

  /** The next position, or `position` itself when the way has ended. */
  step(position: number): number {
    const line = this.#lines[position + this.#direction];
    if (this.#hasEnded || line === undefined || !this.#mayTake(line)) {
      this.#hasEnded = true;
      return position;
    }
    if (line.indent === this.#bar) this.#takenAtBar += 1;
    return position + this.#direction;
  }

  #mayTake(line: IndentedLine): boolean {
    if (line.indent !== this.#bar || this.#block.includeSiblings) return line.indent >= this.#bar;
    const isHeader = this.#direction === -1 && this.#block.includeHeader && line.isComment;
    return isHeader || this.#takenAtBar === 0;
  }
}
