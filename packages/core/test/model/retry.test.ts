import { describe, expect, test } from "vitest";
import { ModelError } from "../../src/model/model-client.ts";
import { RetryBudget } from "../../src/model/retry.ts";

const settings = {
  requestMaxRetries: 4,
  streamMaxRetries: 5,
  retryBaseDelayMs: 200,
  random: () => 0.5,
};

const cut = failure({ phase: "stream", message: "cut" });
const refused = failure({ phase: "request", message: "refused" });

describe("RetryBudget", () => {
  test("exec-cli.md 5: a broken stream is retried 5 times, each wait twice the one before", () => {
    const budget = new RetryBudget(settings);
    expect(taken(budget, cut)).toEqual([
      [200, "Reconnecting... 1/5 (cut)"],
      [400, "Reconnecting... 2/5 (cut)"],
      [800, "Reconnecting... 3/5 (cut)"],
      [1600, "Reconnecting... 4/5 (cut)"],
      [3200, "Reconnecting... 5/5 (cut)"],
    ]);
  });

  test("a failed request may also use what is kept for streams; the waits stop growing at 32 x the base", () => {
    const budget = new RetryBudget(settings);
    const retries = taken(budget, refused);
    expect(retries.map(([delayMs]) => delayMs)).toEqual([
      200, 400, 800, 1600, 3200, 6400, 6400, 6400, 6400,
    ]);
    expect(retries.at(-1)?.[1]).toBe("Reconnecting... 9/9 (refused)");
  });

  test("the two are counted apart", () => {
    const budget = new RetryBudget(settings);
    expect(budget.next(refused)).toMatchObject({ attempt: 1, max: 9 });
    expect(budget.next(cut)).toMatchObject({ attempt: 2, max: 6, delayMs: 400 });
    expect(budget.next(refused)).toMatchObject({ attempt: 3, max: 9 });
    for (let n = 0; n < 4; n += 1) expect(budget.next(cut)).toBeDefined();
    expect(budget.next(cut)).toBeUndefined();
    expect(budget.next(refused)).toMatchObject({ attempt: 8, max: 9 });
  });

  test.each([
    ["stream", { requestMaxRetries: 4, streamMaxRetries: 0 }, 0],
    ["request", { requestMaxRetries: 0, streamMaxRetries: 2 }, 2],
    ["request", { requestMaxRetries: 1, streamMaxRetries: 0 }, 1],
    ["request", { requestMaxRetries: 0, streamMaxRetries: 0 }, 0],
  ] as const)("a failed %s with %j is retried %d times", (phase, counts, times) => {
    const budget = new RetryBudget({ ...settings, ...counts });
    expect(taken(budget, failure({ phase }))).toHaveLength(times);
  });

  test.each([
    [0, 180],
    [0.25, 190],
    [0.999_999, 220],
  ])("jitter: random %d makes a wait of 200 ms %d ms", (value, delayMs) => {
    const budget = new RetryBudget({ ...settings, random: () => value });
    expect(budget.next(cut)?.delayMs).toBe(delayMs);
  });

  test("an error that is not retryable ends the turn and costs nothing", () => {
    const budget = new RetryBudget(settings);
    expect(budget.next(failure({ isRetryable: false }))).toBeUndefined();
    expect(budget.next(cut)).toMatchObject({ attempt: 1 });
  });

  test.each([
    [1500, 1500],
    [60_000, 60_000],
    [60_001, undefined],
    [0, 200],
  ])("a server that asks for %d ms gets %j, without jitter", (retryAfterMs, delayMs) => {
    const budget = new RetryBudget({ ...settings, random: () => 0.5 });
    expect(budget.next(failure({ retryAfterMs }))?.delayMs).toBe(delayMs);
  });

  test("all waits together are at most 5 minutes", () => {
    const budget = new RetryBudget({ ...settings, streamMaxRetries: 100 });
    expect(taken(budget, failure({ retryAfterMs: 50_000 }))).toHaveLength(6);
    expect(budget.next(failure({ retryAfterMs: 1 }))).toBeUndefined();
  });

  test("an own wait is at most a minute, whatever the base", () => {
    const budget = new RetryBudget({ ...settings, retryBaseDelayMs: 1_000_000 });
    expect(taken(budget, cut)).toHaveLength(5);
  });
});

function taken(budget: RetryBudget, error: ModelError): (readonly [number, string])[] {
  const retries: (readonly [number, string])[] = [];
  for (let n = 0; n < 200; n += 1) {
    const retry = budget.next(error);
    if (retry === undefined) return retries;
    retries.push([retry.delayMs, retry.message]);
  }
  throw new Error("it never ends");
}

function failure(options: {
  readonly phase?: "request" | "stream";
  readonly isRetryable?: boolean;
  readonly retryAfterMs?: number;
  readonly message?: string;
}): ModelError {
  const { phase = "stream", isRetryable = true, retryAfterMs, message = "failure" } = options;
  return new ModelError("stream", message, { phase, isRetryable, retryAfterMs });
}
