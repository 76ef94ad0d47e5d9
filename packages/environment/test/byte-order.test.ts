import { compareByteOrder } from "@codex/environment";
import { expect, test } from "vitest";

test("texts sort as their UTF-8 bytes do, characters of every width and shared beginnings included", () => {
  const texts = [
    "",
    "a",
    "aa",
    "ab",
    "B",
    "é",
    "z",
    "\u{d7ff}",
    "\u{e000}",
    "\u{ffff}",
    "\u{10000}",
    "\u{10ffff}",
    "a\u{1f600}",
    "a\u{ff21}",
  ];
  const byBytes = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect(texts.toSorted(compareByteOrder)).toEqual(byBytes);
  expect(texts.toReversed().toSorted(compareByteOrder)).toEqual(byBytes);
});
