import { expect, test } from "vitest";
import { LineDecoder } from "../src/line-decoder.ts";
import { createRandom } from "./random.ts";

function decode(pieces: readonly string[], limit = 1_000): string[] {
  const decoder = new LineDecoder(limit);
  const lines = pieces.flatMap((piece) => [...decoder.push(Buffer.from(piece, "latin1"))]);
  const last = decoder.finish();
  return [...lines, ...(last === undefined ? [] : [last])].map((line) => line.toString("latin1"));
}

test.each([
  [["a\nb\n"], ["a", "b"]],
  [
    ["a", "b", "\n", "c"],
    ["ab", "c"],
  ],
  [
    ["a\n", "\n", "\nb"],
    ["a", "", "", "b"],
  ],
  [[""], []],
  [["\n"], [""]],
  [["a\r\n"], ["a\r"]],
  [["end"], ["end"]],
])("%j becomes %j", (pieces, lines) => {
  expect(decode(pieces)).toEqual(lines);
});

test("a line over the limit is refused, whole or in pieces, and one at the limit is not", () => {
  expect(decode(["12345\n"], 5)).toEqual(["12345"]);
  expect(decode(["123", "45"], 5)).toEqual(["12345"]);
  expect(() => decode(["123456\n"], 5)).toThrow(RangeError);
  expect(() => decode(["123", "456"], 5)).toThrow(RangeError);
  expect(() => decode(["1234567"], 5)).toThrow(RangeError);
});

test("a long line sent byte by byte comes out whole", () => {
  const decoder = new LineDecoder(1_000_000);
  const early: Buffer[] = [];
  for (let count = 0; count < 300_000; count += 1) early.push(...decoder.push(Buffer.from("x")));
  expect(early).toEqual([]);
  expect(decoder.pendingBytes).toBe(300_000);
  const [line] = decoder.push(Buffer.from("\n"));
  expect(line?.length).toBe(300_000);
});

test.each([1, 2, 3, 4, 5])("cut anywhere, the lines are the same (seed %i)", (seed) => {
  const random = createRandom(seed);
  const text = Array.from({ length: 5_000 }, () =>
    random() < 0.1 ? "\n" : String.fromCharCode(32 + random() * 200),
  ).join("");
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const length = Math.floor(random() ** 4 * 400);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  const whole = text.split("\n");
  expect(decode(pieces, 100_000)).toEqual(whole.at(-1) === "" ? whole.slice(0, -1) : whole);
});
