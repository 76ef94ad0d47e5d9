import { describe, expect, test } from "vitest";
import { ModelError, type ModelEvent } from "../../src/model/model-client.ts";
import { createReplayClient } from "../../src/model/replay-client.ts";
import { attempt, factsOf, testPrompt } from "./test-provider.ts";

const answered = (output: string) =>
  testPrompt({ input: [{ type: "function_call_output", call_id: "c", output }] });

describe("createReplayClient", () => {
  test("gives each request the next exchange, short forms written out", async () => {
    const client = replay(
      {
        v: 1,
        events: [
          { reasoning: "Hm." },
          { function_call: { name: "list_dir", arguments: { dir_path: "/" } } },
        ],
      },
      {
        v: 1,
        request: "ignored",
        events: [{ custom_tool_call: { name: "apply_patch", input: "*", call_id: "c9" } }],
      },
      { v: 1, events: [{ message: "Done." }, { usage: { input_tokens: 7, total_tokens: 9 } }] },
    );
    expect(await attempt(client)).toEqual({
      error: undefined,
      events: [
        done({ type: "reasoning", id: "rs_0_0", summary: [{ type: "summary_text", text: "Hm." }] }),
        done({
          type: "function_call",
          id: "fc_0_1",
          call_id: "call_0_1",
          name: "list_dir",
          arguments: '{"dir_path":"/"}',
        }),
        { type: "completed", responseId: "resp_0", usage: undefined, totalTokens: undefined },
      ],
    });
    expect((await attempt(client)).events[0]).toEqual(
      done({
        type: "custom_tool_call",
        id: "ctc_1_0",
        call_id: "c9",
        name: "apply_patch",
        input: "*",
      }),
    );
    const message = { type: "message", id: "msg_2_0", role: "assistant" };
    expect((await attempt(client)).events).toEqual([
      { type: "item.added", item: { ...message, content: [] } },
      { type: "text.delta", delta: "Done." },
      done({ ...message, content: [{ type: "output_text", text: "Done.", annotations: [] }] }),
      {
        type: "completed",
        responseId: "resp_2",
        usage: {
          input_tokens: 7,
          cached_input_tokens: 0,
          cache_write_input_tokens: 0,
          output_tokens: 0,
          reasoning_output_tokens: 0,
        },
        totalTokens: 9,
      },
    ]);
  });

  test("events of the API are played as they are, to the one that ends the response", async () => {
    const client = replay({
      v: 1,
      events: [
        { type: "response.created" },
        { type: "response.unheard_of" },
        { type: "response.completed", response: { id: "mine" } },
        { type: "response.output_text.delta", delta: "late" },
      ],
    });
    expect((await attempt(client)).events.map(({ type }) => type)).toEqual([
      "created",
      "completed",
    ]);
  });

  test("an event that says the response failed fails it as it would over HTTP", async () => {
    const error = { code: "slow_down", message: "Please try again in 1s." };
    const client = replay({
      v: 1,
      events: [{ message: "a" }, { type: "response.failed", response: { error } }],
    });
    expect((await attempt(client)).error).toMatchObject({
      kind: "rateLimited",
      isRetryable: true,
      retryAfterMs: 1000,
    });
  });

  test("a captured value is the last match in the request, and is kept for later exchanges", async () => {
    const poll = {
      function_call: {
        name: "write_stdin",
        arguments: '{"session_id": {{sid}}, "chars": "{{other}}"}',
      },
    };
    const client = replay(
      { v: 1, events: [poll], capture: { sid: "session ID (\\d+)" } },
      { v: 1, events: [poll] },
      { v: 1, events: [poll], capture: { sid: "session ID (\\d+)" } },
    );
    const asked = async (output: string) =>
      (await attempt(client, { prompt: answered(output) })).events[0];
    expect(await asked("session ID 1 and session ID 1000")).toMatchObject({
      item: { arguments: '{"session_id": 1000, "chars": "{{other}}"}' },
    });
    expect(await asked("session ID 5")).toMatchObject({
      item: { arguments: expect.stringContaining("1000") },
    });
    expect(await asked("session ID 1001")).toMatchObject({
      item: { arguments: expect.stringContaining("1001") },
    });
  });

  test("a capture that finds nothing names the exchange's line", async () => {
    const client = replay({ v: 1, events: [], capture: { sid: "session ID (\\d+)" } });
    expect(await failure(client, "no session")).toEqual(
      replayFailure(
        'talk.jsonl:1: nothing in the request matches the capture "sid": session ID (\\d+)',
      ),
    );
  });

  test("a conversation that is over says how long it was", async () => {
    const client = replay({ v: 1, events: [] });
    expect((await attempt(client)).error).toBeUndefined();
    expect(await failure(client, "")).toEqual(
      replayFailure("talk.jsonl: the conversation has 1 exchange, the run asks for number 2"),
    );
  });

  test("an item without its fields is the file's fault", async () => {
    const event = { type: "response.output_item.done", item: { type: "function_call", name: "x" } };
    const { message } = await failure(replay({ v: 1, events: [event] }), "");
    expect(message).toMatch(/^talk\.jsonl:1: .*failed to parse output item: .*call_id/);
  });

  test("an aborted signal ends it with the signal's reason", async () => {
    const client = replay({ v: 1, events: [{ message: "a" }] });
    const abort = new AbortController();
    const reason = new Error("enough");
    const types: string[] = [];
    const run = async () => {
      for await (const event of client.stream(testPrompt(), abort.signal)) {
        types.push(event.type);
        abort.abort(reason);
      }
    };
    await expect(run()).rejects.toBe(reason);
    expect(types).toEqual(["item.added"]);
  });
});

describe("a conversation file", () => {
  test("lines end at 0x0A only; blank ones do not count as exchanges but as lines", () => {
    const text = `\n{"v":1,"events":[{"message":"a\u2028b\u0085c"}]}\r\n\n{"v":1,"events":[}\n`;
    expect(() => createReplayClient({ text, file: "f" })).toThrow(/^f:4: /);
  });

  test.each([
    ["", "f: there is no exchange in it"],
    ['{"v":2,"whatever":1}', "f:1: version 2 of the format is not known here (known: 1)"],
    ['{"events":[]}', "f:1: v: Invalid input: expected 1"],
    ["[]", "f:1: Invalid input: expected object, received array"],
    ['{"v":1}', "f:1: events: Invalid input: expected array, received undefined"],
    ['{"v":1,"events":[],"extra":1}', 'f:1: Unrecognized key: "extra"'],
    [
      '{"v":1,"events":[{"massage":"a"}]}',
      "f:1: events.0: expected an event with a `type`, or message, reasoning, function_call, custom_tool_call or usage alone",
    ],
    ['{"v":1,"events":[],"capture":{"a":"("}}', "f:1: capture.a: no regular expression: ("],
  ])("%j is refused: %s", (text, message) => {
    try {
      createReplayClient({ text, file: "f" });
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      expect(factsOf(error)).toEqual(replayFailure(message));
      return;
    }
    throw new Error("accepted");
  });
});

function replay(...lines: readonly object[]) {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  return createReplayClient({ text, file: "talk.jsonl" });
}

function done(item: Record<string, unknown> & { type: string }): ModelEvent {
  return { type: "item.done", item };
}

async function failure(client: ReturnType<typeof replay>, output: string) {
  const { error } = await attempt(client, { prompt: answered(output) });
  if (error instanceof ModelError) return factsOf(error);
  throw new Error("no ModelError", { cause: error });
}

function replayFailure(message: string) {
  const rest = { status: undefined, retryAfterMs: undefined };
  return { kind: "replay", message, isRetryable: false, phase: "request", ...rest };
}
