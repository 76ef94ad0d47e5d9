import { describe, expect, it, test } from "vitest";
import {
  approximateTokens,
  countCharacters,
  splitMiddle,
  truncateMiddle,
  truncateWithLineCount,
} from "../../src/tools/truncation.ts";

const emoji = "😀";
const long = "this is an example of a long output that should be truncated";
const twoLines = `${long}\nalso some other line`;
const tenEmoji = `${emoji.repeat(10)}\nsecond line with text\n`;
const bytes = (limit: number) => ({ unit: "bytes", limit }) as const;
const tokens = (limit: number) => ({ unit: "tokens", limit }) as const;

test.each([
  [0, 0],
  [1, 1],
  [4, 1],
  [5, 2],
])("tools.md 5.2: %i bytes are about %i tokens", (size, expected) => {
  expect(approximateTokens(size)).toBe(expected);
});

describe("tools.md 5.4: the splitter", () => {
  it.each([
    ["hello world", 5, 5, 1, "hello", "world"],
    ["abc", 0, 0, 3, "", ""],
    ["abcdef", 3, 0, 3, "abc", ""],
    ["abcdef", 0, 3, 3, "", "def"],
    ["abcdef", 4, 4, 0, "abcd", "ef"],
    [`${emoji}abc${emoji}`, 5, 5, 1, `${emoji}a`, `c${emoji}`],
    [emoji.repeat(5), 1, 1, 5, "", ""],
    [emoji.repeat(5), 7, 7, 3, emoji, emoji],
    [emoji.repeat(5), 8, 8, 1, emoji.repeat(2), emoji.repeat(2)],
  ])(
    "cuts %s at %i and %i and removes %i",
    (text, left, right, removedCharacters, prefix, suffix) => {
      const utf8 = Buffer.from(text);
      const { prefixEnd, suffixStart } = splitMiddle(utf8, left, right);
      expect([
        countCharacters(utf8.subarray(prefixEnd, suffixStart)),
        utf8.toString("utf8", 0, prefixEnd),
        utf8.toString("utf8", suffixStart),
      ]).toEqual([removedCharacters, prefix, suffix]);
    },
  );
});

describe("tools.md 5.4: truncation with the count of lines", () => {
  it.each([
    [bytes(1), "example output", "Total output lines: 1\n\n…13 chars truncated…t"],
    [tokens(1), "example output", "Total output lines: 1\n\nex…3 tokens truncated…ut"],
    [tokens(5), long, "Total output lines: 1\n\nthis is an…10 tokens truncated… truncated"],
    [
      bytes(30),
      long,
      "Total output lines: 1\n\nthis is an exam…30 chars truncated…ld be truncated",
    ],
    [
      bytes(30),
      twoLines,
      "Total output lines: 2\n\nthis is an exam…51 chars truncated…some other line",
    ],
    [
      tokens(10),
      twoLines,
      "Total output lines: 2\n\nthis is an example o…11 tokens truncated…also some other line",
    ],
    [tokens(100), twoLines, twoLines],
    [bytes(0), "", ""],
  ])("%o of %j", (budget, text, expected) => {
    expect(truncateWithLineCount(text, budget)).toBe(expected);
  });
});

describe("tools.md 5.4: middle truncation", () => {
  it.each([
    [tokens(0), "abcdef", "…2 tokens truncated…"],
    [bytes(0), "abcdef", "…6 chars truncated…"],
    [tokens(8), tenEmoji, `${emoji.repeat(4)}…8 tokens truncated… line with text\n`],
    [bytes(20), tenEmoji, `${emoji.repeat(2)}…21 chars truncated…with text\n`],
    [bytes(6), "abcdef", "abcdef"],
    [bytes(12), emoji.repeat(3), emoji.repeat(3)],
    [bytes(11), emoji.repeat(3), `${emoji}…1 chars truncated…${emoji}`],
  ])("%o of %j", (budget, text, expected) => {
    expect(truncateMiddle(text, budget)).toBe(expected);
  });

  it("lets 10,000 characters through 10,000 bytes, and takes one from 10,001", () => {
    expect(truncateMiddle("x".repeat(10_000), bytes(10_000))).toBe("x".repeat(10_000));
    expect(truncateMiddle("x".repeat(10_001), bytes(10_000))).toBe(
      `${"x".repeat(5_000)}…1 chars truncated…${"x".repeat(5_000)}`,
    );
  });

  it("says how much of `seq 1 100000` a budget of 10,000 tokens leaves out", () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join("");
    const truncated = truncateWithLineCount(lines, tokens(10_000));
    expect(truncated.startsWith("Total output lines: 100000\n\n1\n2\n3\n4\n5\n6\n")).toBe(true);
    expect(truncated).toContain("…137224 tokens truncated…");
    expect(truncated.endsWith("\n99999\n100000\n")).toBe(true);
  });

  it("never exceeds the budget and never makes half a character, wherever the cut falls", () => {
    const text = "aé€😀".repeat(50);
    for (let limit = 0; limit <= Buffer.byteLength(text); limit += 1) {
      const truncated = truncateMiddle(text, bytes(limit));
      const kept = truncated.replace(/…\d+ chars truncated…/, "");
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(limit);
      expect(truncated).not.toContain("\uFFFD");
    }
  });

  it("is linear: 64 times the text takes nowhere near 64 times 64 the time", () => {
    const small = timeOf(() => truncateMiddle("é".repeat(100_000), bytes(150_000)));
    const large = timeOf(() => truncateMiddle("é".repeat(6_400_000), bytes(9_600_000)));
    expect(large).toBeLessThan(Math.max(small, 1) * 640);
  });
});

function timeOf(work: () => void): number {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
}
