import { describe, expect, test } from "vitest";
import { ModelError } from "../../src/model/model-client.ts";
import { parseModelEvent } from "../../src/model/responses/events.ts";
import { factsOf } from "./test-provider.ts";

const message = {
  type: "message",
  id: "m",
  role: "assistant",
  content: [{ type: "output_text", text: "Hi." }],
};

describe("parseModelEvent", () => {
  test.each([
    [{ type: "response.created", response: {} }, { type: "created" }],
    [
      { type: "response.output_item.added", item: message },
      { type: "item.added", item: message },
    ],
    [
      { type: "response.output_item.done", item: message },
      { type: "item.done", item: message },
    ],
    [
      { type: "response.output_text.delta", delta: "a" },
      { type: "text.delta", delta: "a" },
    ],
    [
      { type: "response.reasoning_summary_text.delta", delta: "b" },
      { type: "reasoning.delta", delta: "b" },
    ],
    [
      { type: "response.reasoning_text.delta", delta: "c" },
      { type: "reasoning.delta", delta: "c" },
    ],
    [
      { type: "response.completed", response: { id: "r" } },
      { type: "completed", responseId: "r", usage: undefined, totalTokens: undefined },
    ],
    [
      {
        type: "response.completed",
        response: { usage: { input_tokens: 5, input_tokens_details: null } },
      },
      {
        type: "completed",
        responseId: undefined,
        usage: {
          input_tokens: 5,
          cached_input_tokens: 0,
          cache_write_input_tokens: 0,
          output_tokens: 0,
          reasoning_output_tokens: 0,
        },
        totalTokens: undefined,
      },
    ],
    [
      {
        type: "response.completed",
        response: {
          id: "r",
          usage: {
            input_tokens: 100,
            input_tokens_details: { cached_tokens: 20, cache_write_tokens: 7 },
            output_tokens: 10,
            output_tokens_details: { reasoning_tokens: 3 },
            total_tokens: 110,
          },
        },
      },
      {
        type: "completed",
        responseId: "r",
        usage: {
          input_tokens: 100,
          cached_input_tokens: 20,
          cache_write_input_tokens: 7,
          output_tokens: 10,
          reasoning_output_tokens: 3,
        },
        totalTokens: 110,
      },
    ],
  ])("session.md 7: reads %j", (event, expected) => {
    expect(parseModelEvent(JSON.stringify(event))).toEqual(expected);
  });

  test("an item keeps fields and kinds we do not know", () => {
    const item = { type: "program_call", id: "p", fields: [1, { deep: true }] };
    const event = parseModelEvent(JSON.stringify({ type: "response.output_item.done", item }));
    expect(event).toEqual({ type: "item.done", item });
  });

  test.each([
    "{not json",
    "[DONE]",
    "",
    "null",
    '"text"',
    '{"no":"type"}',
    '{"type":5}',
    '{"type":"constructor"}',
    '{"type":"response.in_progress","response":{"error":null}}',
    '{"type":"response.output_text.delta"}',
    '{"type":"response.output_item.added","item":{"id":"no type"}}',
  ])("session.md 7: skips %j", (data) => {
    expect(parseModelEvent(data)).toBeUndefined();
  });

  test.each([
    [
      { type: "response.output_item.done", item: { type: "function_call", name: "x" } },
      /^stream disconnected before completion: failed to parse output item: .*call_id/,
    ],
    [
      { type: "response.completed" },
      /^stream disconnected before completion: failed to parse ResponseCompleted: .*response/,
    ],
  ])("session.md 7: %j is a broken answer, not a silent loss", (event, message) => {
    const error = thrownBy(event);
    expect(error).toMatchObject({ kind: "stream", isRetryable: true, phase: "stream" });
    expect(error.message).toMatch(message);
  });

  const words = "Mock. Please try again in 1.5s.";
  test.each([
    [
      "context_length_exceeded",
      "contextWindow",
      false,
      "Codex ran out of room in the model's context window. Start a new session, or give it a smaller task.",
    ],
    ["insufficient_quota", "quota", false, "Quota exceeded. Check your plan and billing details."],
    ["usage_not_included", "quota", false, words],
    ["invalid_prompt", "invalidRequest", false, words],
    ["cyber_policy", "invalidRequest", false, words],
    [
      "server_is_overloaded",
      "overloaded",
      false,
      "Selected model is at capacity. Please try a different model.",
    ],
    ["invalid_image_format", "invalidImage", false, words],
    ["rate_limit_exceeded", "rateLimited", true, `rate limit exceeded: ${words}`],
    ["slow_down", "rateLimited", true, `rate limit exceeded: ${words}`],
    ["server_error", "failed", true, `stream disconnected before completion: ${words}`],
    ["weird_code", "failed", true, `stream disconnected before completion: ${words}`],
  ])("exec-cli.md 5: response.failed %s is %s, retried: %j", (code, kind, isRetryable, text) => {
    const error = { code, message: words };
    for (const event of [
      { type: "response.failed", response: { error } },
      { type: "error", ...error },
      { type: "error", error },
      { error },
    ]) {
      const thrown = thrownBy(event);
      expect(factsOf(thrown)).toEqual({
        kind,
        message: text,
        isRetryable,
        phase: "stream",
        status: undefined,
        retryAfterMs: isRetryable ? 1500 : undefined,
      });
    }
  });

  test.each([
    [{ type: "response.failed" }, "stream disconnected before completion: no reason given"],
    [
      { type: "response.failed", response: { error: null } },
      "stream disconnected before completion: no reason given",
    ],
    [{ type: "error" }, "stream disconnected before completion: no reason given"],
    [{ error: "Model not loaded" }, "stream disconnected before completion: Model not loaded"],
    [
      { type: "response.failed", response: { error: { code: "invalid_prompt" } } },
      "Invalid request.",
    ],
  ])("%j is a failure too", (event, message) => {
    expect(thrownBy(event).message).toBe(message);
  });

  test.each([
    ["max_output_tokens", false, "Incomplete response returned, reason: max_output_tokens"],
    [
      "content_filter",
      true,
      "stream disconnected before completion: Incomplete response returned, reason: content_filter",
    ],
  ])("exec-cli.md 5: response.incomplete %s, retried: %j", (reason, isRetryable, message) => {
    const response = { incomplete_details: { reason } };
    const error = thrownBy({ type: "response.incomplete", response });
    expect(error).toMatchObject({ kind: "incomplete", isRetryable });
    expect(error.message).toBe(message);
  });
});

function thrownBy(event: unknown): ModelError {
  try {
    parseModelEvent(JSON.stringify(event));
  } catch (error) {
    if (error instanceof ModelError) return error;
  }
  throw new Error("no ModelError");
}
