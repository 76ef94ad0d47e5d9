import type { IncomingHttpHeaders } from "node:http";
import * as z from "zod";
import { ModelError } from "../model-client.ts";
import { retryAfterHeader, retryAfterWords } from "./retry-after.ts";
import { finalMessage, namedKind, ServerFailure } from "./server-failure.ts";

/** An answer that is no event stream, body read. */
export interface PlainAnswer {
  readonly status: number;
  /** The status' registered name, if it has one. */
  readonly statusName: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The body, perhaps cut. */
  readonly text: string;
  /** The address as a person may see it. */
  readonly url: string;
}

/** Longest stretch of a server's own words in a message, in UTF-16 units. */
const maxWords = 2048;

/**
 * The error an answer with this status and body is. 408, 5xx and a 429 that says when to come back may pass; anything
 * else ends the turn, a code in the body (no quota, no room in the context) says as what.
 */
export function httpError(answer: PlainAnswer, nowMs: number): ModelError {
  const { status } = answer;
  const failure = failureIn(answer.text);
  const kind = namedKind(failure);
  const words = cut(failure.message ?? answer.text.trim());
  const wishMs = retryAfterHeader(answer.headers, nowMs);
  const retryAfterMs = wishMs ?? retryAfterWords(words);
  const fail = (kind: ModelError["kind"], message: string, isRetryable = false): ModelError =>
    new ModelError(kind, message, { isRetryable, phase: "request", status, retryAfterMs });

  if (status >= 500 || status === 408) {
    return fail(kind === "overloaded" ? kind : "http", unexpectedStatus(answer, words), true);
  }
  if (kind !== undefined && kind !== "rateLimited")
    return fail(kind, cut(finalMessage(kind, failure)));
  if (status === 429 || kind === "rateLimited") {
    const wish = wishMs === undefined ? "" : `try again in ${wishMs / 1000} s`;
    const reason = [words, wish].filter((text) => text !== "").join("; ");
    const text = `exceeded retry limit, last status: ${statusLine(answer)}`;
    return fail(
      "rateLimited",
      reason === "" ? text : `${text} (${reason})`,
      retryAfterMs !== undefined,
    );
  }
  // The server's own account of a bad request is the best there is, and may not be JSON at all.
  if (status === 400)
    return fail("invalidRequest", cut(answer.text.trim()) || unexpectedStatus(answer, words));
  return fail("http", unexpectedStatus(answer, words));
}

/** The failure a body tells of: `{error: {...}}`, `{error: "..."}`, `{message}` or `{detail}`. */
function failureIn(text: string): ServerFailure {
  const parsed = ErrorBody.safeParse(jsonOf(text));
  return parsed.success ? parsed.data : { codes: [], message: undefined, param: undefined };
}

const ErrorBody = z.union([
  z.object({ error: ServerFailure }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error }) => only(error)),
  z.object({ message: z.string() }).transform(({ message }) => only(message)),
  z.object({ detail: z.string() }).transform(({ detail }) => only(detail)),
]);

function only(message: string): ServerFailure {
  return { codes: [], message, param: undefined };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unexpectedStatus(answer: PlainAnswer, words: string): string {
  const request = answer.headers["x-request-id"];
  const location = answer.headers.location;
  return [
    `unexpected status ${statusLine(answer)}: ${words || "no reason given"}`,
    `url: ${answer.url}`,
    ...(location === undefined ? [] : [`location: ${location}`]),
    ...(typeof request === "string" ? [`request id: ${request}`] : []),
  ].join(", ");
}

function statusLine({ status, statusName }: PlainAnswer): string {
  return statusName === undefined ? String(status) : `${status} ${statusName}`;
}

function cut(text: string): string {
  return text.length <= maxWords
    ? text
    : `${text.slice(0, maxWords).replace(/[\ud800-\udbff]$/, "")}…`;
}
