import { STATUS_CODES } from "node:http";
import { describe, expect, test } from "vitest";
import { httpError } from "../../src/model/responses/http-error.ts";
import { factsOf } from "./test-provider.ts";

const url = "http://h/v1/responses";
const now = Date.parse("2026-01-01T00:00:00Z");

interface Row {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly kind: string;
  readonly message: string;
  readonly retries: boolean;
  readonly retryAfterMs?: number;
}

const saying = (message: string, more: object = {}) => ({ error: { message, ...more } });
const exhausted = "exceeded retry limit, last status: 429 Too Many Requests";

const rows: readonly Row[] = [
  ...[500, 502, 503, 504].map((status) => ({
    status,
    body: saying("down"),
    kind: "http",
    message: `unexpected status ${status} ${STATUS_CODES[status]}: down, url: ${url}`,
    retries: true,
  })),
  {
    status: 529,
    body: saying("busy"),
    kind: "http",
    message: `unexpected status 529: busy, url: ${url}`,
    retries: true,
  },
  {
    status: 503,
    body: saying("full", { code: "server_is_overloaded" }),
    kind: "overloaded",
    message: `unexpected status 503 Service Unavailable: full, url: ${url}`,
    retries: true,
  },
  {
    status: 503,
    headers: { "retry-after": "2" },
    kind: "http",
    message: `unexpected status 503 Service Unavailable: no reason given, url: ${url}`,
    retries: true,
    retryAfterMs: 2000,
  },
  {
    status: 408,
    body: "too slow",
    kind: "http",
    message: `unexpected status 408 Request Timeout: too slow, url: ${url}`,
    retries: true,
  },
  {
    status: 400,
    body: '{"error":"bad thing"}',
    kind: "invalidRequest",
    message: '{"error":"bad thing"}',
    retries: false,
  },
  {
    status: 400,
    body: saying("too long", { code: "context_length_exceeded" }),
    kind: "contextWindow",
    message:
      "Codex ran out of room in the model's context window. Start a new session, or give it a smaller task.",
    retries: false,
  },
  {
    status: 400,
    body: saying("no image", { code: "invalid_image" }),
    kind: "invalidImage",
    message: "no image",
    retries: false,
  },
  {
    status: 400,
    body: saying("no image", { code: null, param: "input[2].content[0].image_url" }),
    kind: "invalidImage",
    message: "no image",
    retries: false,
  },
  ...[401, 403, 404, 409, 413, 422].map((status) => ({
    status,
    body: saying("no"),
    kind: "http",
    message: `unexpected status ${status} ${STATUS_CODES[status]}: no, url: ${url}`,
    retries: false,
  })),
  {
    status: 401,
    headers: { "x-request-id": "req_1" },
    body: saying("no"),
    kind: "http",
    message: `unexpected status 401 Unauthorized: no, url: ${url}, request id: req_1`,
    retries: false,
  },
  {
    status: 308,
    headers: { location: "https://elsewhere/" },
    kind: "http",
    message: `unexpected status 308 Permanent Redirect: no reason given, url: ${url}, location: https://elsewhere/`,
    retries: false,
  },
  {
    status: 422,
    body: { detail: "wrong" },
    kind: "http",
    message: `unexpected status 422 Unprocessable Entity: wrong, url: ${url}`,
    retries: false,
  },
  {
    status: 404,
    body: { message: "what?" },
    kind: "http",
    message: `unexpected status 404 Not Found: what?, url: ${url}`,
    retries: false,
  },
  { status: 429, kind: "rateLimited", message: exhausted, retries: false },
  {
    status: 429,
    body: saying("slowly"),
    kind: "rateLimited",
    message: `${exhausted} (slowly)`,
    retries: false,
  },
  {
    status: 429,
    headers: { "retry-after": "90" },
    kind: "rateLimited",
    message: `${exhausted} (try again in 90 s)`,
    retries: true,
    retryAfterMs: 90_000,
  },
  {
    status: 429,
    headers: { "retry-after": "Thu, 01 Jan 2026 00:00:03 GMT" },
    body: saying("slowly"),
    kind: "rateLimited",
    message: `${exhausted} (slowly; try again in 3 s)`,
    retries: true,
    retryAfterMs: 3000,
  },
  {
    status: 429,
    headers: { "retry-after-ms": "50" },
    kind: "rateLimited",
    message: `${exhausted} (try again in 0.05 s)`,
    retries: true,
    retryAfterMs: 50,
  },
  {
    status: 429,
    body: saying("Please try again in 1.2s.", { code: "rate_limit_exceeded" }),
    kind: "rateLimited",
    message: `${exhausted} (Please try again in 1.2s.)`,
    retries: true,
    retryAfterMs: 1200,
  },
  {
    status: 429,
    headers: { "retry-after": "1" },
    body: saying("No money.", { code: "insufficient_quota" }),
    kind: "quota",
    message: "Quota exceeded. Check your plan and billing details.",
    retries: false,
    retryAfterMs: 1000,
  },
  {
    status: 429,
    body: saying("The usage limit has been reached", { type: "usage_limit_reached" }),
    kind: "quota",
    message: "The usage limit has been reached",
    retries: false,
  },
];

describe("httpError", () => {
  test.each(rows)("exec-cli.md 5: $status $headers $body is $kind, retried: $retries", (row) => {
    const { status, headers = {}, body = "", kind, message, retries, retryAfterMs } = row;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const error = httpError({ status, statusName: STATUS_CODES[status], headers, text, url }, now);
    expect(factsOf(error)).toEqual({
      kind,
      message,
      isRetryable: retries,
      phase: "request",
      status,
      retryAfterMs,
    });
  });

  test("a server's words are shown up to 2 KiB, no character cut in half", () => {
    const text = `${"x".repeat(2047)}\u{1F600}${"y".repeat(100_000)}`;
    const { message } = httpError(
      { status: 500, statusName: undefined, headers: {}, text, url },
      now,
    );
    expect(message).toBe(`unexpected status 500: ${"x".repeat(2047)}…, url: ${url}`);
  });
});
