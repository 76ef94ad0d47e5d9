import { describe, expect, test } from "vitest";
import { characterBorder, decodeLossy, takeBytes } from "../../src/tools/utf8.ts";

test.each([
  ["abc", 2, "ab"],
  ["abc", 3, "abc"],
  ["é€", 1, ""],
  ["é€", 2, "é"],
  ["é€", 4, "é"],
  ["é€", 5, "é€"],
  ["a\u{1F600}", 4, "a"],
  ["a\u{1F600}", 5, "a\u{1F600}"],
])("the first bytes of %j, at most %i", (text, limit, expected) => {
  expect(takeBytes(text, limit)).toBe(expected);
});

describe("the border of a character in bytes", () => {
  const bytes = (...values: number[]) => Uint8Array.from(values);
  test.each([
    ["beyond the end", bytes(0x61), 9, 1],
    ["inside a four-byte character", Buffer.from("a\u{1F600}"), 4, 1],
    ["between two characters", Buffer.from("a\u{1F600}b"), 5, 5],
    [
      "in a row of continuation bytes that is no character",
      bytes(0x80, 0x80, 0x80, 0x80, 0x80),
      4,
      4,
    ],
    ["after a single continuation byte at the start", bytes(0x80, 0x61), 1, 1],
  ])("%s", (_, of, position, border) => {
    expect(characterBorder(of, position)).toBe(border);
  });
});

test("one mark for each maximal invalid sequence, a byte order mark kept", () => {
  const bytes = Uint8Array.from([0xef, 0xbb, 0xbf, 0xe2, 0x82, 0x61, 0xff, 0xfe, 0xf0, 0x9f, 0x98]);
  expect(decodeLossy(bytes)).toBe("\uFEFF\uFFFDa\uFFFD\uFFFD\uFFFD");
});
