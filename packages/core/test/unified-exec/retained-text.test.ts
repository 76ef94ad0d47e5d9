import { describe, expect, it } from "vitest";
import { incompleteEndLength, outputText } from "../../src/unified-exec/retained-text.ts";

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))),
  );

describe("exec-cli.md 4: output as text", () => {
  it("joins head and tail when nothing is missing, also inside a character", () => {
    const euro = Buffer.from("€");
    expect(
      outputText({
        head: bytes("a", [...euro.subarray(0, 1)]),
        tail: bytes([...euro.subarray(1)], "b"),
        omittedBytes: 0,
      }),
    ).toEqual({ text: "a€b", originalBytes: 5, omittedBytes: 0 });
  });

  it("puts a line where bytes are missing", () => {
    expect(outputText({ head: bytes("first"), tail: bytes("last"), omittedBytes: 12 })).toEqual({
      text: "first\n... 12 bytes omitted ...\nlast",
      originalBytes: 21,
      omittedBytes: 12,
    });
  });

  it("counts a character that the gap tore as missing", () => {
    expect(
      outputText({
        head: bytes("a", [0xf0, 0x9f]),
        tail: bytes([0x98, 0x80], "b"),
        omittedBytes: 10,
      }),
    ).toEqual({ text: "a\n... 14 bytes omitted ...\nb", originalBytes: 16, omittedBytes: 14 });
  });

  it("makes one U+FFFD of each invalid sequence and passes NUL, escapes and a byte order mark", () => {
    const head = bytes([0, 1, 0xff, 0xfe], "\u001b[31mred\u001b[0m \uFEFF€", [0xe2, 0x82]);
    expect(outputText({ head, tail: bytes(), omittedBytes: 0 }).text).toBe(
      "\u0000\u0001\uFFFD\uFFFD\u001b[31mred\u001b[0m \uFEFF€\uFFFD",
    );
  });
});

describe("incompleteEndLength", () => {
  it.each([
    [bytes(), 0],
    [bytes("abc"), 0],
    [bytes("é"), 0],
    [bytes("a", [0xc3]), 1],
    [bytes("a", [0xe2, 0x82]), 2],
    [bytes("a", [0xf0, 0x9f, 0x98]), 3],
    [bytes("😀"), 0],
    [bytes([0x80, 0x80, 0x80, 0x80]), 0],
    [bytes([0xff]), 0],
    [bytes([0xc0]), 0],
  ])("%o ends in %i bytes of an unfinished character", (input, expected) => {
    expect(incompleteEndLength(input)).toBe(expected);
  });
});
