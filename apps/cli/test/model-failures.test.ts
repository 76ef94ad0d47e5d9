import { describe, expect, test } from "vitest";
import type { Scenario } from "@codex/test-support";
import { execWith } from "./exec-with.ts";
import { hereAndThere } from "./here-and-there.ts";

const quick = `request_max_retries = 1
stream_max_retries = 1
stream_idle_timeout_ms = 300`;
const recovered = [{ message: "Recovered." }] as const;
const failedWith = (code: string): Scenario => [[{ error: { code, message: `said ${code}` } }]];
const answered = (status: number, message: string): Scenario => [
  [{ status, body: { error: { message } } }],
];

interface Row {
  readonly name: string;
  readonly scenario: Scenario;
  readonly code: number;
  readonly requests: number;
  /** The error that ends the turn, or the last message of one that did not fail. */
  readonly says: RegExp;
}

const rows: Row[] = [
  // Before an answer: one retry of each kind, three requests.
  { name: "500 for ever", scenario: [[{ status: 500 }]], code: 1, requests: 3, says: /500/ },
  { name: "502 for ever", scenario: [[{ status: 502 }]], code: 1, requests: 3, says: /502/ },
  { name: "503 for ever", scenario: [[{ status: 503 }]], code: 1, requests: 3, says: /503/ },
  { name: "504 for ever", scenario: [[{ status: 504 }]], code: 1, requests: 3, says: /504/ },
  { name: "529 for ever", scenario: [[{ status: 529 }]], code: 1, requests: 3, says: /529/ },
  { name: "408 for ever", scenario: [[{ status: 408 }]], code: 1, requests: 3, says: /408/ },
  {
    name: "a reset before an answer",
    scenario: [[{ close: true }]],
    code: 1,
    requests: 3,
    says: /./,
  },
  {
    name: "500, then an answer",
    scenario: [[{ status: 500 }], recovered],
    code: 0,
    requests: 2,
    says: /^Recovered\.$/,
  },
  {
    name: "503 with a delay, then an answer",
    scenario: [[{ status: 503, headers: { "retry-after-ms": "20" } }], recovered],
    code: 0,
    requests: 2,
    says: /^Recovered\.$/,
  },
  {
    name: "429 with a delay, then an answer",
    scenario: [[{ status: 429, headers: { "retry-after": "0" } }], recovered],
    code: 0,
    requests: 2,
    says: /^Recovered\.$/,
  },
  {
    name: "429 that asks for ten minutes",
    scenario: [[{ status: 429, headers: { "retry-after": "600" } }]],
    code: 1,
    requests: 1,
    says: /./,
  },
  { name: "429 without a delay", scenario: [[{ status: 429 }]], code: 1, requests: 1, says: /429/ },
  {
    name: "429, the quota is used up",
    scenario: [
      [{ status: 429, body: { error: { code: "insufficient_quota", message: "used up" } } }],
    ],
    code: 1,
    requests: 1,
    says: /quota/i,
  },
  {
    name: "429, the plan's limit is reached",
    scenario: [
      [
        {
          status: 429,
          body: {
            error: { type: "usage_limit_reached", message: "The usage limit has been reached" },
          },
        },
      ],
    ],
    code: 1,
    requests: 1,
    says: /usage limit/i,
  },
  // The server's own words, at once.
  { name: "400", scenario: answered(400, "Bad thing"), code: 1, requests: 1, says: /Bad thing/ },
  { name: "401", scenario: answered(401, "Bad key"), code: 1, requests: 1, says: /401.*Bad key/ },
  {
    name: "403",
    scenario: answered(403, "Forbidden here"),
    code: 1,
    requests: 1,
    says: /403.*Forbidden here/,
  },
  { name: "404", scenario: answered(404, "No model"), code: 1, requests: 1, says: /404.*No model/ },
  { name: "409", scenario: answered(409, "Conflict"), code: 1, requests: 1, says: /409/ },
  { name: "413", scenario: answered(413, "Too large"), code: 1, requests: 1, says: /413/ },
  { name: "422", scenario: answered(422, "Cannot"), code: 1, requests: 1, says: /422/ },
  // In the middle of an answer.
  {
    name: "a cut, then an answer",
    scenario: [[{ message: "partial" }, { close: true }], recovered],
    code: 0,
    requests: 2,
    says: /^Recovered\.$/,
  },
  {
    name: "a cut for ever",
    scenario: [[{ message: "partial" }, { close: true }]],
    code: 1,
    requests: 2,
    says: /stream disconnected before completion/,
  },
  {
    name: "an end without completion",
    scenario: [[{ message: "partial" }, { end: true }]],
    code: 1,
    requests: 2,
    says: /stream disconnected before completion/,
  },
  {
    name: "an error event",
    scenario: [
      [
        { event: { type: "error", code: "server_error", message: "top-level error" } },
        { end: true },
      ],
    ],
    code: 1,
    requests: 2,
    says: /top-level error/,
  },
  {
    name: "lines that are no events",
    scenario: [
      [{ raw: "data: {not json\n\nevent: foo\ndata: bar\n\n" }, { message: "After garbage." }],
    ],
    code: 0,
    requests: 1,
    says: /^After garbage\.$/,
  },
  {
    name: "headers that never come",
    scenario: [[{ delay_ms: 60_000 }]],
    code: 1,
    requests: 3,
    says: /./,
  },
  {
    name: "silence",
    scenario: [[{ message: "partial" }, { hang: true }]],
    code: 1,
    requests: 2,
    says: /idle timeout/,
  },
  {
    name: "silence but for comments",
    scenario: [[{ message: "partial" }, { ping_ms: 50 }, { hang: true }]],
    code: 1,
    requests: 2,
    says: /idle timeout/,
  },
  {
    name: "incomplete: output tokens",
    scenario: [[{ message: "cut off" }, { incomplete: "max_output_tokens" }]],
    code: 1,
    requests: 1,
    says: /max_output_tokens/,
  },
  {
    name: "incomplete: content filter",
    scenario: [[{ incomplete: "content_filter" }]],
    code: 1,
    requests: 2,
    says: /content_filter/,
  },
  {
    name: "failed: context length",
    scenario: failedWith("context_length_exceeded"),
    code: 1,
    requests: 1,
    says: /./,
  },
  {
    name: "failed: quota",
    scenario: failedWith("insufficient_quota"),
    code: 1,
    requests: 1,
    says: /quota/i,
  },
  {
    name: "failed: invalid prompt",
    scenario: failedWith("invalid_prompt"),
    code: 1,
    requests: 1,
    says: /invalid_prompt/,
  },
  { name: "failed: policy", scenario: failedWith("cyber_policy"), code: 1, requests: 1, says: /./ },
  {
    name: "failed: overloaded",
    scenario: failedWith("server_is_overloaded"),
    code: 1,
    requests: 1,
    says: /./,
  },
  {
    name: "failed: server error",
    scenario: failedWith("server_error"),
    code: 1,
    requests: 2,
    says: /server_error/,
  },
  {
    name: "failed: an unknown code",
    scenario: failedWith("weird_code"),
    code: 1,
    requests: 2,
    says: /weird_code/,
  },
  { name: "an answer without items", scenario: [[]], code: 0, requests: 1, says: /^$/ },
];

/** The model is asked from here, wherever the work is, and no row has work in it: of each kind one is enough there. */
const playedTwice = ["500, then an answer", "400", "a cut, then an answer", "failed: server error"];

describe.each(hereAndThere())("%s", (place, at) => {
  test.each(
    rows
      .filter(({ name }) => place === "here" || playedTwice.includes(name))
      .map((row) => [row.name, row] as const),
  )("exec-cli.md 5: %s", async (_name, row) => {
    const { code, events, requests, stderr } = await execWith({
      ...at(),
      scenario: row.scenario,
      provider: quick,
      args: ["--json", "go"],
    });
    const last = events.at(-1);
    expect({ code, requests: requests.length, stderr }).toEqual({
      code: row.code,
      requests: row.requests,
      stderr: "",
    });
    expect(last).toMatchObject({
      type: row.code === 0 ? "turn.completed" : "turn.failed",
      exit_code: row.code,
    });
    if (last?.type === "turn.failed") {
      expect(last.error.kind).toBe("model");
      expect(last.error.message).toMatch(row.says);
      expect(events.at(-2)).toEqual({ type: "error", message: last.error.message });
    } else {
      const messages = events.flatMap((event) =>
        event.type === "item.completed" && event.item.type === "agent_message"
          ? [event.item.text]
          : [],
      );
      expect(messages.at(-1) ?? "").toMatch(row.says);
    }
  });
});

test("with the defaults a server that fails twice is asked again after 0.2 and 0.4 s, and that is said", async () => {
  const { code, stdout, stderr, requests } = await execWith({
    scenario: [[{ status: 500 }], [{ status: 500 }], recovered],
    retryBaseDelayMs: undefined,
  });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "Recovered.\n" });
  expect(stderr).toMatch(/Reconnecting\.\.\. 1\/9 \(.*500.*\n.*Reconnecting\.\.\. 2\/9/);
  const [first = 0, second = 0, third = 0] = requests.map(({ atMs }) => atMs);
  // 10 % jitter both ways; the upper ends are a busy machine's.
  expect(second - first).toBeGreaterThanOrEqual(179);
  expect(third - second).toBeGreaterThanOrEqual(359);
});

test("a model server on this machine that is not there is named with its address", async () => {
  const { events } = await execWith({
    args: ["--oss", "--json", "--timeout", "500ms", "go"],
    env: { CODEX_OSS_BASE_URL: "http://127.0.0.1:9/v1" },
  });
  const retry = events.find((event) => event.type === "error");
  expect(retry?.message).toMatch(/http:\/\/127\.0\.0\.1:9\/v1\/responses.*ECONNREFUSED/);
});
