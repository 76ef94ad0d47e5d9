import { expect, test } from "vitest";
import { matchesGlob } from "../src/glob.ts";

test.each([
  ["PATH", "PATH", true],
  ["PATH", "path", true],
  ["PATH", "PAT", false],
  ["PATH", "PATHS", false],
  ["PATH", "*", true],
  ["", "*", true],
  ["", "?", false],
  ["PATH", "P?TH", true],
  ["PATH", "?ATH?", false],
  ["MY_API_KEY_2", "*KEY*", true],
  ["KEY", "*KEY*", true],
  ["KE_Y", "*KEY*", false],
  ["AXBXC", "A*B*C", true],
  ["AXBXCX", "A*B*C", false],
  ["A.B", "A?B", true],
  ["AxB", "A.B", false],
  ["A[B", "A[B", true],
])("%s against %s is %s", (name, glob, expected) => {
  expect(matchesGlob(name, glob)).toBe(expected);
});

test("a glob full of stars does not take for ever", () => {
  expect(matchesGlob("A".repeat(2_000), `${"A*".repeat(500)}B`)).toBe(false);
});
