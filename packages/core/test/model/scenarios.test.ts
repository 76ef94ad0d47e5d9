import { type Scenario, startModelServer } from "@codex/test-support";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { ModelError } from "../../src/model/model-client.ts";
import { RetryBudget } from "../../src/model/retry.ts";
import { attempt, clientFor } from "./test-provider.ts";

const scenarios = path.resolve(import.meta.dirname, "../../../../../shared/tools/scenarios");
const isHere = existsSync(scenarios);
if (!isHere) console.log(`skipped: the scripted failures are not at ${scenarios}`);

const url = "http://HOST/v1/responses";
const cut = "stream disconnected before completion:";
const exhausted = "exceeded retry limit, last status: 429 Too Many Requests";
const tryAgain = "Please try again in 1.5s.";
const recovers = undefined;
const status = (code: string) =>
  `unexpected status ${code}: scripted status ${code.slice(0, 3)}, url: ${url}`;

/** Scenario, requests made, all waits together without jitter, and the error the turn ends with. */
const table: readonly (readonly [string, number, number, string | undefined])[] = [
  [
    "err-400",
    1,
    0,
    '{"error":{"message":"Bad thing in the request","type":"invalid_request_error","code":"bad"}}',
  ],
  ["err-401", 1, 0, `unexpected status 401 Unauthorized: Bad key, url: ${url}`],
  ["err-403", 1, 0, `unexpected status 403 Forbidden: Forbidden here, url: ${url}`],
  ["err-404", 1, 0, `unexpected status 404 Not Found: No model, url: ${url}`],
  ["err-408", 10, 31_800, status("408 Request Timeout")],
  ["err-409", 1, 0, status("409 Conflict")],
  ["err-413", 1, 0, status("413 Payload Too Large")],
  ["err-422", 1, 0, status("422 Unprocessable Entity")],
  ["err-429", 1, 0, `${exhausted} (scripted status 429)`],
  ["err-429-body", 10, 10_800, `${exhausted} (Rate limit reached. Please try again in 1.2s.)`],
  ["err-429-quota", 1, 0, "Quota exceeded. Check your plan and billing details."],
  ["err-429-retry-after", 3, 2000, recovers],
  [
    "err-429-retry-after-long",
    10,
    270_000,
    `${exhausted} (scripted status 429; try again in 30 s)`,
  ],
  ["err-429-then-500", 3, 600, recovers],
  ["err-429-usage-limit", 1, 0, "The usage limit has been reached"],
  ["err-500", 10, 31_800, status("500 Internal Server Error")],
  ["err-500-twice", 3, 600, recovers],
  ["err-502", 10, 31_800, status("502 Bad Gateway")],
  ["err-503", 10, 31_800, status("503 Service Unavailable")],
  ["err-503-retry-after", 2, 2000, recovers],
  ["err-504", 10, 31_800, status("504 Gateway Timeout")],
  ["err-529", 10, 31_800, `unexpected status 529: scripted status 529, url: ${url}`],
  ["err-cut-after-call", 2, 200, recovers],
  ["err-cut-delta", 2, 200, recovers],
  ["err-cut-once", 2, 200, recovers],
  ["err-empty", 1, 0, recovers],
  ["err-end", 6, 6200, `${cut} stream closed before response.completed`],
  ["err-event-error", 6, 6200, `${cut} top-level error event`],
  ["err-garbage", 1, 0, recovers],
  ["err-hang", 6, 6200, `${cut} idle timeout waiting for SSE`],
  ["err-hang-headers", 10, 31_800, `no answer within 50 ms, url: ${url}`],
  ["err-hang-ping", 6, 6200, `${cut} idle timeout waiting for SSE`],
  ["err-incomplete", 1, 0, "Incomplete response returned, reason: max_output_tokens"],
  ["err-incomplete-filter", 6, 6200, `${cut} Incomplete response returned, reason: content_filter`],
  ["err-reset", 10, 31_800, `${cut} error sending request for url (${url}): socket hang up`],
  [
    "failed-context-length-exceeded",
    1,
    0,
    "Codex ran out of room in the model's context window. Start a new session, or give it a smaller task.",
  ],
  ["failed-cyber-policy", 1, 0, `Mock cyber_policy. ${tryAgain}`],
  ["failed-insufficient-quota", 1, 0, "Quota exceeded. Check your plan and billing details."],
  ["failed-invalid-prompt", 1, 0, `Mock invalid_prompt. ${tryAgain}`],
  [
    "failed-rate-limit-exceeded",
    6,
    7500,
    `rate limit exceeded: Mock rate_limit_exceeded. ${tryAgain}`,
  ],
  ["failed-server-error", 6, 7500, `${cut} Mock server_error. ${tryAgain}`],
  [
    "failed-server-is-overloaded",
    1,
    0,
    "Selected model is at capacity. Please try a different model.",
  ],
  ["failed-slow-down", 6, 7500, `rate limit exceeded: Mock slow_down. ${tryAgain}`],
  ["failed-weird-code", 6, 7500, `${cut} Mock weird_code. ${tryAgain}`],
];

/** Cut in the moment it begins: how much of it arrives is up to the kernel. */
const undecided = ["err-cut"];

describe.skipIf(!isHere)("the scripted failures", () => {
  test.each(table)(
    "exec-cli.md 5: %s makes %d requests and waits %d ms",
    async (name, requests, waits, message) => {
      const scenario = JSON.parse(
        readFileSync(path.join(scenarios, `${name}.json`), "utf8"),
      ) as Scenario;
      await using server = await startModelServer(scenario);
      await using client = clientFor(server.baseUrl, {
        streamIdleTimeoutMs: name.includes("hang") ? 50 : 5000,
      });
      const budget = new RetryBudget({
        requestMaxRetries: 4,
        streamMaxRetries: 5,
        retryBaseDelayMs: 200,
        random: () => 0.5,
      });
      let waited = 0;
      let error: unknown;
      for (;;) {
        ({ error } = await attempt(client));
        if (error === undefined) break;
        if (!(error instanceof ModelError)) throw error;
        const retry = budget.next(error);
        if (retry === undefined) break;
        waited += retry.delayMs;
      }
      const said =
        error instanceof Error
          ? error.message.replace(new URL(server.baseUrl).host, "HOST")
          : undefined;
      expect([server.requests.length, waited, said]).toEqual([requests, waits, message]);
    },
  );

  test("every scripted failure is in the table", () => {
    const files = readdirSync(scenarios).filter((file) => /^(err|failed)-/.test(file));
    const names = [...table.map(([name]) => name), ...undecided];
    expect(files.map((file) => file.replace(".json", "")).toSorted()).toEqual(names.toSorted());
  });
});
