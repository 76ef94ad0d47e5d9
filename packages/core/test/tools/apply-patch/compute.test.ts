import { describe, expect, test } from "vitest";
import { computeUpdate } from "../../../src/tools/apply-patch/compute.ts";
import { parsePatch } from "../../../src/tools/apply-patch/parse.ts";

/** The file after an update whose chunks are these lines; latin1 on both sides, so that every byte is one character. */
function updated(before: string, ...body: string[]): string {
  const [hunk] = parsePatch(
    ["*** Begin Patch", "*** Update File: f", ...body, "*** End Patch"].join("\n"),
  );
  if (hunk?.type !== "update") throw new Error("no update");
  return Buffer.from(computeUpdate("/w/f", Buffer.from(before, "latin1"), hunk.chunks)).toString(
    "latin1",
  );
}

const utf8 = (text: string) => Buffer.from(text).toString("latin1");

describe("tools.md 8.3: finding and replacing", () => {
  test.each<[string, string, string[], string]>([
    ["several chunks", "a\nb\nc\nd\n", ["@@", "-a", "+A", "@@", " c", "-d", "+D"], "A\nb\nc\nD\n"],
    ["the first of two places", "dup\nmid\ndup\n", ["-dup", "+DUP"], "DUP\nmid\ndup\n"],
    [
      "a context line goes first",
      "fn a\n  x\nfn b\n  x\n",
      ["@@ fn b", "-  x", "+  y"],
      "fn a\n  x\nfn b\n  y\n",
    ],
    ["only removed lines", "a\nb\nc\n", ["@@", " a", "-b"], "a\nc\n"],
    ["an insertion between context lines", "a\nb\n", ["@@", " a", "+x", " b"], "a\nx\nb\n"],
    ["only added lines go to the end", "a\nb\n", ["@@", "+x", "+y"], "a\nb\nx\ny\n"],
    ["before a blank last line", "a\n\n", ["@@", "+x"], "a\nx\n\n"],
    ["into an empty file", "", ["@@", "+x"], "x\n"],
    ["all lines gone", "a\nb\n", ["@@", "-a", "-b"], ""],
    ["at the end of the file", "x\na\nx\n", ["@@", "-x", "+y", "*** End of File"], "x\na\ny\n"],
    ["only added lines at the end", "a\n", ["@@", "+x", "*** End of File"], "a\nx\n"],
    [
      "a blank last context line that is none of the file",
      "a\nb\n",
      ["@@", "-b", "+B", ""],
      "a\nB\n",
    ],
    [
      "a blank context line the file does not have, before an addition",
      "a\n",
      ["@@", " a", "", "+b"],
      "a\n\nb\n",
    ],
    ["trailing white space ignored", "trail   \nb\n", ["@@", "-trail", "+TRAIL"], "TRAIL\nb\n"],
    ["leading white space ignored", "    indented\n", ["@@", "-indented", "+IN"], "IN\n"],
    [
      "typographic characters ignored",
      utf8("dash \u2013 quote \u2019 \u201Cx\u201D\u00A0y\n"),
      ["@@", '-dash - quote \' "x" y', "+ASCII"],
      "ASCII\n",
    ],
    [
      "an exact place before a loose one that comes first",
      "  a\nb\na\n",
      ["@@", "-a", "+A"],
      "  a\nb\nA\n",
    ],
    ["an added line of non-ASCII text", "a\n", ["@@", " a", "+é€"], utf8("a\né€\n")],
  ])("%s", (_, before, body, after) => {
    expect(updated(before, ...body)).toBe(after);
  });

  test.each([
    [
      "lines not found",
      "a\n",
      ["@@", " a", "-absent"],
      "Failed to find expected lines in /w/f:\na\nabsent",
    ],
    ["a context not found", "a\n", ["@@ nope", "-a"], "Failed to find context 'nope' in /w/f"],
    [
      "more lines than the file",
      "a\n",
      ["@@", "-a", "-b"],
      "Failed to find expected lines in /w/f:\na\nb",
    ],
    [
      "chunks against the order of the file",
      "a\nb\n",
      ["@@", "-b", "@@", "-a"],
      "Failed to find expected lines in /w/f:\na",
    ],
    [
      "not at the end of the file",
      "a\nb\n",
      ["@@", "-a", "*** End of File"],
      "Failed to find expected lines in /w/f:\na",
    ],
    [
      "the end of the file is already taken",
      "a\nb\n",
      ["@@", "-b", "@@", "-b", "*** End of File"],
      "Failed to find expected lines in /w/f:\nb",
    ],
  ])("%s", (_, before, body, message) => {
    expect(() => updated(before, ...body)).toThrow(message);
  });
});

describe("beyond the original: bytes outside the hunk stay", () => {
  test.each<[string, string, string[], string]>([
    ["CRLF", "a\r\nb\r\nc\r\n", ["@@", " a", "-b", "+B", "+X"], "a\r\nB\r\nX\r\nc\r\n"],
    ["CRLF with lines appended", "a\r\n", ["@@", "+x"], "a\r\nx\r\n"],
    [
      "mixed: each added line ends as the line it stands for",
      "a\r\nb\nc\r\nd\n",
      ["@@", "-a", "-b", "+A", "+B", " c", "+X"],
      "A\r\nB\nc\r\nX\r\nd\n",
    ],
    [
      "an added first line ends as the one below it",
      "a\r\nb\n",
      ["@@", "+x", " a"],
      "x\r\na\r\nb\n",
    ],
    ["no final newline, another line changed", "a\nb", ["@@", "-a", "+A"], "A\nb"],
    ["no final newline, the last line changed", "a\nb", ["@@", "-b", "+B"], "a\nB"],
    ["no final newline, lines appended", "a\nb", ["@@", "+x", "+y"], "a\nb\nx\ny"],
    ["no final newline, CRLF, a line appended", "a\r\nb", ["@@", " b", "+x"], "a\r\nb\r\nx"],
    ["no final newline, the last line gone", "a\nb", ["@@", "-b"], "a\n"],
    ["a byte order mark", "\xEF\xBB\xBFa\nb\n", ["@@", "-a", "+A"], "\xEF\xBB\xBFA\nb\n"],
    [
      "bytes that are not UTF-8",
      "\xFF\xFE\na\n\xE2\x82\n",
      ["@@", "-a", "+A"],
      "\xFF\xFE\nA\n\xE2\x82\n",
    ],
    [
      "a context line that is not UTF-8, spelled as the model was shown it",
      "caf\xE9\na\n",
      ["@@", " caf\uFFFD", "-a", "+A"],
      "caf\xE9\nA\n",
    ],
    [
      "context lines that differ in white space",
      "\tif x:  \n\t\ta\n",
      ["@@", " if x:", "-a", "+\t\tA"],
      "\tif x:  \n\t\tA\n",
    ],
    ["NUL and lone \\r", "a\0\rb\nc\n", ["@@", "-c", "+C"], "a\0\rb\nC\n"],
  ])("%s", (_, before, body, after) => {
    expect(updated(before, ...body)).toBe(after);
  });
});

describe("ambiguous when another place repeats the lines more exactly", () => {
  test.each([
    [
      "before the chunk's turn",
      "x\nmark\n  x\n",
      ["@@ mark", "-x", "+y"],
      "Ambiguous lines in /w/f: line 3 repeats them only loosely, line 1 more exactly",
    ],
    [
      "further on, line by line",
      "  a\n  b\nm\na\n  b\n",
      ["@@", "-a", "-b", "+c"],
      "Ambiguous lines in /w/f: line 1 repeats them only loosely, line 4 more exactly",
    ],
    [
      "a context line",
      "head\nmark\n  head\nx\n",
      ["@@", "-mark", "+m", "@@ head", "-x"],
      "Ambiguous lines in /w/f: line 3 repeats them only loosely, line 1 more exactly",
    ],
  ])("%s", (_, before, body, message) => {
    expect(() => updated(before, ...body)).toThrow(message);
  });

  test("not with a place that an earlier chunk has taken", () => {
    expect(updated("a\nm\n  a\n", "@@", "-a", "+A", "@@", "-a", "+  A")).toBe("A\nm\n  A\n");
  });

  test("not between places that are equally loose: the first wins", () => {
    expect(updated("  a\nm\n  a\n", "@@", "-a", "+A")).toBe("A\nm\n  a\n");
  });
});

test("a hundred thousand lines and a hundred chunks take less than two seconds", () => {
  const before = Array.from({ length: 100_000 }, (_, index) => `line ${index}\n`).join("");
  const body = Array.from({ length: 100 }, (_, index) => [
    "@@",
    ` line ${index * 1000}`,
    `-line ${index * 1000 + 1}`,
    `+changed ${index}`,
  ]).flat();
  const startedAt = performance.now();
  const after = updated(before, ...body);
  expect(performance.now() - startedAt).toBeLessThan(2000);
  expect(after.split("\n").filter((line) => line.startsWith("changed"))).toHaveLength(100);
});
