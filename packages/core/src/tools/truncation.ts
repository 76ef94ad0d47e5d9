import type { OutputBudget } from "../model/models.ts";

/** Tokens are estimated, never counted: one for every four bytes of UTF-8, rounded up. */
export const bytesPerToken = 4;

/** The estimate for a text of this many bytes. */
export function approximateTokens(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken);
}

/** What a budget allows, in bytes. */
export function budgetBytes(budget: OutputBudget): number {
  return budget.unit === "bytes" ? budget.limit : budget.limit * bytesPerToken;
}

/**
 * `text` as it is when it fits the budget, else its beginning and its end, half the budget each, with a marker between
 * them that says what is missing. Never cuts inside a character; linear in the length of `text`.
 */
export function truncateMiddle(text: string, budget: OutputBudget): string {
  const limit = budgetBytes(budget);
  // A UTF-16 unit is at most three bytes of UTF-8: most texts are let through without being measured.
  if (text.length * 3 <= limit) return text;
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= limit) return text;
  const left = Math.floor(limit / 2);
  const { prefixEnd, suffixStart } = splitMiddle(bytes, left, limit - left);
  const missing =
    budget.unit === "tokens"
      ? `${approximateTokens(bytes.length - limit)} tokens`
      : `${countCharacters(bytes.subarray(prefixEnd, suffixStart))} chars`;
  const prefix = bytes.toString("utf8", 0, prefixEnd);
  return `${prefix}…${missing} truncated…${bytes.toString("utf8", suffixStart)}`;
}

/** As {@link truncateMiddle}; a text that had to be cut is headed by its original number of lines and an empty line. */
export function truncateWithLineCount(text: string, budget: OutputBudget): string {
  const truncated = truncateMiddle(text, budget);
  return truncated === text ? text : `${lineCountLine(text)}\n\n${truncated}`;
}

/** `Total output lines: N`; a last line without a newline counts. */
export function lineCountLine(text: string): string {
  return `Total output lines: ${countLines(text)}`;
}

/** Where, in UTF-8 bytes, the part to leave out begins and ends; both fall between characters. */
export interface MiddleSplit {
  readonly prefixEnd: number;
  readonly suffixStart: number;
}

/** The longest whole-character prefix and suffix of valid UTF-8 within their budgets in bytes; they never overlap. */
export function splitMiddle(utf8: Uint8Array, left: number, right: number): MiddleSplit {
  let prefixEnd = Math.min(left, utf8.length);
  while (prefixEnd > 0 && isContinuation(utf8[prefixEnd])) prefixEnd -= 1;
  let suffixStart = Math.max(prefixEnd, utf8.length - right);
  while (isContinuation(utf8[suffixStart])) suffixStart += 1;
  return { prefixEnd, suffixStart };
}

/** Code points in valid UTF-8. */
export function countCharacters(utf8: Uint8Array): number {
  let count = 0;
  for (const byte of utf8) if (!isContinuation(byte)) count += 1;
  return count;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return text === "" || text.endsWith("\n") ? lines : lines + 1;
}
