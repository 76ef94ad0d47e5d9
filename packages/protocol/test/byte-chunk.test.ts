import { expect, test } from "vitest";
import { decodeBase64, encodeBase64 } from "../src/index.ts";

test("every byte value survives the round trip", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  expect(new Uint8Array(decodeBase64(encodeBase64(bytes)) ?? [])).toEqual(bytes);
});

test("a view encodes its own part of a buffer", () => {
  const whole = new TextEncoder().encode("xxhelloxx");
  expect(encodeBase64(whole.subarray(2, 7))).toBe("aGVsbG8=");
});

test.each([
  ["", ""],
  ["aA==", "h"],
  ["aGk=", "hi"],
  ["aGVsbG8K", "hello\n"],
])("%j decodes", (text, expected) => {
  expect(Buffer.from(decodeBase64(text) ?? "?").toString()).toBe(expected);
});

test.each([
  "@@",
  "aGVsbG8",
  "aGVs bG8=",
  "aGVsbG8=\n",
  "a-_b",
  "aA=",
  "a===",
  "====",
  "aB==",
  "aGl=",
  "aGk=aGk=",
  "ä===",
])("seed K2: %j is refused", (text) => {
  expect(decodeBase64(text)).toBeUndefined();
});

test("twenty megabytes decode without overflowing anything", () => {
  const bytes = new Uint8Array(20 * 1024 * 1024).fill(7);
  expect(decodeBase64(encodeBase64(bytes))?.byteLength).toBe(bytes.byteLength);
});
