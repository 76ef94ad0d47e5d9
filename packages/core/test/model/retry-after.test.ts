import { describe, expect, test } from "vitest";
import { retryAfterHeader, retryAfterWords } from "../../src/model/responses/retry-after.ts";

const now = Date.parse("2026-01-01T00:00:00Z");

describe("retryAfterHeader", () => {
  test.each([
    [{}, undefined],
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "1.5" }, 1500],
    [{ "retry-after": "-1" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:07 GMT" }, 7000],
    [{ "retry-after": "Wed, 31 Dec 2025 23:00:00 GMT" }, 0],
    [{ "retry-after-ms": "50", "retry-after": "2" }, 50],
    [{ "retry-after-ms": "?", "retry-after": "2" }, 2000],
  ])("%j asks for %j ms", (headers, expected) => {
    expect(retryAfterHeader(headers, now)).toBe(expected);
  });
});

describe("retryAfterWords", () => {
  test.each([
    ["Please try again in 1.5s.", 1500],
    ["Please try again in 20ms.", 20],
    ["TRY AGAIN IN 35 seconds", 35_000],
    ["Please try again in 1m12.5s. Visit us.", 72_500],
    ["try again in 2 minutes", 120_000],
    ["try again in 1 hour, 5 min", 3_900_000],
    ["try again in 6m0s.", 360_000],
    ["try again in 3 sheep", undefined],
    ["try again in a moment", undefined],
    ["Rate limit reached.", undefined],
  ])("session.md 7: %j asks for %j ms", (text, expected) => {
    expect(retryAfterWords(text)).toBe(expected);
  });
});
