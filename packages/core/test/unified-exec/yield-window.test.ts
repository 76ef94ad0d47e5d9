import { expect, test } from "vitest";
import { emptyPollMs, execYieldMs, writeYieldMs } from "../../src/unified-exec/yield-window.ts";

test.each([
  [undefined, 10_000],
  [0, 250],
  [1_200, 1_200],
  [100_000, 30_000],
])("unified-exec.md 3: exec_command asked for %s ms waits %i", (requested, expected) => {
  expect(execYieldMs(requested)).toBe(expected);
});

test.each([
  [undefined, 250],
  [1, 250],
  [1_000, 1_000],
  [600_000, 30_000],
])("unified-exec.md 4: a write asked for %s ms waits %i", (requested, expected) => {
  expect(writeYieldMs(requested)).toBe(expected);
});

test.each([
  [undefined, 300_000, 5_000],
  [300, 300_000, 5_000],
  [60_000, 300_000, 60_000],
  [600_000, 300_000, 300_000],
  [600_000, 20_000, 20_000],
  [6_000, 1_000, 5_000],
])(
  "unified-exec.md 4: a poll asked for %s ms, at most %i, waits %i",
  (requested, max, expected) => {
    expect(emptyPollMs(requested, max)).toBe(expected);
  },
);
