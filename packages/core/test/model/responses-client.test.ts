import { startModelServer } from "@codex/test-support";
import { describe, expect, test } from "vitest";
import { ModelError } from "../../src/model/model-client.ts";
import { modelInfoFor } from "../../src/model/models.ts";
import { builtInProviders } from "../../src/model/providers.ts";
import { createResponsesClient } from "../../src/model/responses/client.ts";
import { requestBody } from "../../src/model/responses/request.ts";
import {
  attempt,
  clientFor,
  completed,
  completedEvent,
  loopbackServer,
  sse,
  testPrompt,
  testProvider,
  textOf,
} from "./test-provider.ts";

describe("a request", () => {
  test("goes to the provider's address with its parameters, headers, and the whole body", async () => {
    await using server = await startModelServer([[{ message: "Hi." }]]);
    const model = modelInfoFor("gpt-5.5");
    const { openai } = builtInProviders({ variables: {}, openaiBaseUrl: server.baseUrl });
    const provider = { ...openai, queryParams: { a: "1" }, httpHeaders: { "x-team": "ü" } };
    await using client = createResponsesClient({
      provider,
      model,
      settings: {},
      variables: { OPENAI_API_KEY: "k", OPENAI_PROJECT: "p" },
      userAgent: "test/1.0",
      originator: "test",
    });
    const prompt = testPrompt({ instructions: "Grüße \u2028 \u{1F600}" });
    await attempt(client, { prompt });
    const { method, path, headers, body } = await server.request(0);
    expect({ method, path, body }).toEqual({
      method: "POST",
      path: "/v1/responses?a=1",
      body: requestBody(prompt, { form: "developerItem", model, settings: {} }),
    });
    expect(headers).toMatchObject({
      authorization: "Bearer k",
      "openai-project": "p",
      "x-team": "ü",
      "content-type": "application/json",
      "accept-encoding": "gzip",
    });
  });

  test("a client without a key or a usable address is not made", () => {
    expect(() => clientFor("http://127.0.0.1:1", { envKey: "K" })).toThrow(
      "Missing environment variable: `K`.",
    );
    expect(() => clientFor("nowhere")).toThrow("the base_url of model provider `test` is no http");
  });

  test("a megabyte of history arrives as it is", async () => {
    const { promise, resolve } = settable<string>();
    await using server = await loopbackServer((request, response) => {
      void textOf(request).then(resolve);
      response.end(sse(completed));
    });
    await using client = clientFor(server.baseUrl);
    const text = "0123456789abcdeü".repeat(65_536);
    const input = [{ type: "message", role: "user", content: [{ type: "input_text", text }] }];
    expect(await attempt(client, { prompt: testPrompt({ input }) })).toEqual({
      events: [completedEvent],
      error: undefined,
    });
    expect(JSON.parse(await promise)).toMatchObject({ input });
  });
});

describe("an answer", () => {
  test("session.md 7: gives its events in order and ends at response.completed", async () => {
    await using server = await startModelServer([[{ reasoning: "Hm." }, { message: "Hi." }]]);
    await using client = clientFor(server.baseUrl);
    const { events, error } = await attempt(client);
    expect(error).toBeUndefined();
    expect(events.map(({ type }) => type)).toEqual([
      "created",
      "item.added",
      "item.done",
      "item.added",
      "text.delta",
      "item.done",
      "completed",
    ]);
    expect(events.at(-1)).toEqual({
      type: "completed",
      responseId: "resp_0",
      usage: {
        input_tokens: 100,
        cached_input_tokens: 20,
        cache_write_input_tokens: 0,
        output_tokens: 10,
        reasoning_output_tokens: 3,
      },
      totalTokens: 110,
    });
  });

  test("exec-cli.md 5: garbage and unknown events between the others are skipped", async () => {
    await using server = await startModelServer([
      [
        { raw: "data: {not json\n\n" },
        { raw: "event: foo\ndata: bar\n\n: hm\n\n" },
        { message: "Hi." },
      ],
    ]);
    await using client = clientFor(server.baseUrl);
    const { events } = await attempt(client);
    expect(events).toContainEqual({ type: "text.delta", delta: "Hi." });
  });

  test("what comes after response.completed is not read", async () => {
    await using server = await loopbackServer((_request, response) => {
      response.write(sse(completed) + sse({ type: "response.failed" }));
    });
    await using client = clientFor(server.baseUrl);
    expect(await attempt(client)).toEqual({ events: [completedEvent], error: undefined });
  });

  test("connections are kept: two answers come over one", async () => {
    await using server = await loopbackServer(
      (_request, response) => void response.end(sse(completed)),
    );
    await using client = clientFor(server.baseUrl);
    for (let n = 0; n < 2; n += 1) {
      expect((await attempt(client)).error).toBeUndefined();
      // The connection is free once the rest of the answer was read, which is the next thing to happen.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(server.connections()).toBe(1);
  });
});

interface Failure {
  readonly name: string;
  readonly turn: Parameters<typeof startModelServer>[0];
  readonly kind: string;
  readonly phase?: "request" | "stream";
  readonly retries?: boolean;
  readonly retryAfterMs?: number;
  readonly message: string;
}

const cut = "stream disconnected before completion:";

const failures: readonly Failure[] = [
  {
    name: "err-503",
    turn: [[{ status: 503, body: { error: { message: "down" } } }]],
    kind: "http",
    phase: "request",
    message: "unexpected status 503 Service Unavailable: down, url: URL",
  },
  {
    name: "err-404, with a page instead of JSON",
    turn: [[{ status: 404, headers: { "content-type": "text/html" }, body: "<h1>Nobody</h1>" }]],
    kind: "http",
    phase: "request",
    retries: false,
    message: "unexpected status 404 Not Found: <h1>Nobody</h1>, url: URL",
  },
  {
    name: "err-429-retry-after",
    turn: [[{ status: 429, headers: { "retry-after": "1" }, body: "" }]],
    kind: "rateLimited",
    phase: "request",
    retryAfterMs: 1000,
    message: "exceeded retry limit, last status: 429 Too Many Requests (try again in 1 s)",
  },
  {
    name: "err-reset",
    turn: [[{ close: true }]],
    kind: "connection",
    phase: "request",
    message: `${cut} error sending request for url (URL): socket hang up`,
  },
  {
    name: "err-cut",
    turn: [[{ message: "partial" }, { delay_ms: 20 }, { close: true }]],
    kind: "stream",
    message: `${cut} Transport error: network error: aborted`,
  },
  {
    name: "err-end",
    turn: [[{ message: "partial" }, { end: true }]],
    kind: "stream",
    message: `${cut} stream closed before response.completed`,
  },
  {
    name: "an empty body",
    turn: [[{ status: 200, body: "" }]],
    kind: "stream",
    message: `${cut} stream closed before response.completed`,
  },
  {
    name: "err-hang",
    turn: [[{ message: "partial" }, { hang: true }]],
    kind: "timeout",
    message: `${cut} idle timeout waiting for SSE`,
  },
  {
    name: "err-hang-ping: comments are no sign of life",
    turn: [[{ message: "partial" }, { ping_ms: 20 }, { hang: true }]],
    kind: "timeout",
    message: `${cut} idle timeout waiting for SSE`,
  },
  {
    name: "err-hang-headers",
    turn: [[{ delay_ms: 600_000 }]],
    kind: "timeout",
    phase: "request",
    message: "no answer within 150 ms, url: URL",
  },
  {
    name: "err-event-error",
    turn: [[{ event: { type: "error", code: "server_error", message: "oops" } }, { end: true }]],
    kind: "failed",
    message: `${cut} oops`,
  },
  {
    name: "failed-invalid-prompt",
    turn: [[{ error: { code: "invalid_prompt", message: "Not this." } }]],
    kind: "invalidRequest",
    retries: false,
    message: "Not this.",
  },
  {
    name: "err-incomplete",
    turn: [[{ message: "cut off" }, { incomplete: "max_output_tokens" }]],
    kind: "incomplete",
    retries: false,
    message: "Incomplete response returned, reason: max_output_tokens",
  },
  {
    name: "an error in JSON with status 200",
    turn: [[{ status: 200, body: { error: { code: "insufficient_quota", message: "No." } } }]],
    kind: "quota",
    retries: false,
    message: "Quota exceeded. Check your plan and billing details.",
  },
  {
    name: "an error in JSON that pretends to be an event stream",
    turn: [
      [
        {
          status: 200,
          headers: { "content-type": "text/event-stream" },
          body: '{\n"error": "no such model"\n}\n',
        },
      ],
    ],
    kind: "failed",
    message: `${cut} no such model`,
  },
];

describe("a failure", () => {
  test.each(failures)("exec-cli.md 5: $name is $kind", async (row) => {
    await using server = await startModelServer(row.turn);
    await using client = clientFor(server.baseUrl, { streamIdleTimeoutMs: 150 });
    const { error } = await attempt(client);
    if (!(error instanceof ModelError)) throw error;
    const { kind, phase, isRetryable, retryAfterMs, message } = error;
    expect({ kind, phase, isRetryable, retryAfterMs, message }).toEqual({
      kind: row.kind,
      phase: row.phase ?? "stream",
      isRetryable: row.retries ?? true,
      retryAfterMs: row.retryAfterMs,
      message: row.message.replace("URL", `${server.baseUrl}/responses`),
    });
  });

  test("what had come before it was given", async () => {
    await using server = await startModelServer([
      [{ message: "partial" }, { delay_ms: 20 }, { close: true }],
    ]);
    await using client = clientFor(server.baseUrl);
    const { events, error } = await attempt(client);
    expect(events).toContainEqual({ type: "text.delta", delta: "partial" });
    expect(error).toMatchObject({ kind: "stream" });
  });

  test("nobody listens: the address and the reason are named, for every address of a name", async () => {
    const server = await loopbackServer(() => {});
    const port = new URL(server.baseUrl).port;
    await server[Symbol.asyncDispose]();
    await using client = clientFor(`http://localhost:${port}/v1`);
    const { error } = await attempt(client);
    expect(error).toMatchObject({ kind: "connection", isRetryable: true, phase: "request" });
    expect((error as Error).message).toMatch(
      new RegExp(
        `^${cut} error sending request for url \\(http://localhost:${port}/v1/responses\\): connect ECONNREFUSED .*:${port}`,
      ),
    );
  });

  test("a server that speaks no TLS behind https is not asked again", async () => {
    await using server = await loopbackServer(() => {});
    await using client = clientFor(server.baseUrl.replace("http:", "https:"));
    const { error } = await attempt(client);
    expect(error).toMatchObject({ kind: "connection", isRetryable: false });
  });

  test("the next attempt of the same client works", async () => {
    await using server = await startModelServer([
      [{ close: true }],
      [{ status: 500 }],
      [{ message: "Hi." }],
    ]);
    await using client = clientFor(server.baseUrl);
    expect((await attempt(client)).error).toMatchObject({ kind: "connection" });
    expect((await attempt(client)).error).toMatchObject({ kind: "http", status: 500 });
    expect((await attempt(client)).error).toBeUndefined();
  });

  test("a retry-after date is read with the given clock", async () => {
    await using server = await startModelServer([
      [{ status: 503, headers: { "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT" } }],
    ]);
    const now = () => Date.parse("2026-01-01T00:00:00Z");
    await using client = clientFor(server.baseUrl, {}, { now });
    expect((await attempt(client)).error).toMatchObject({ retryAfterMs: 9000 });
  });
});

describe("ending early", () => {
  test.each([
    ["before the headers", [{ delay_ms: 600_000 }]],
    ["in the middle of the answer", [{ message: "partial" }, { hang: true }]],
  ] as const)(
    "aborting %s rejects with the signal's reason and ends the request",
    async (_when, turn) => {
      const gone = settable<void>();
      await using server = await loopbackServer((_request, response) => {
        response.once("close", () => gone.resolve());
        if (turn[0] !== undefined && "message" in turn[0])
          response.write(sse({ type: "response.created" }));
        else response.flushHeaders();
        abort.abort(reason);
      });
      const abort = new AbortController();
      const reason = new Error("enough");
      await using client = clientFor(server.baseUrl);
      expect((await attempt(client, { signal: abort.signal })).error).toBe(reason);
      await gone.promise;
    },
  );

  test("a signal that is aborted already sends nothing", async () => {
    await using server = await startModelServer([[{ message: "Hi." }]]);
    await using client = clientFor(server.baseUrl);
    const reason = new Error("before");
    expect((await attempt(client, { signal: AbortSignal.abort(reason) })).error).toBe(reason);
    expect(server.requests).toEqual([]);
  });

  test("leaving the loop ends the request", async () => {
    const gone = settable<void>();
    await using server = await loopbackServer((_request, response) => {
      response.once("close", () => gone.resolve());
      response.write(sse({ type: "response.created" }));
    });
    await using client = clientFor(server.baseUrl);
    for await (const event of client.stream(testPrompt(), new AbortController().signal)) {
      expect(event).toEqual({ type: "created" });
      break;
    }
    await gone.promise;
  });

  test("the time its reader takes is not the server's silence", async () => {
    const first = settable<void>();
    await using server = await loopbackServer((_request, response) => {
      response.write(sse({ type: "response.created" }));
      void first.promise.then(() => response.end(sse(completed)));
    });
    await using client = clientFor(server.baseUrl, { streamIdleTimeoutMs: 100 });
    const types: string[] = [];
    for await (const event of client.stream(testPrompt(), new AbortController().signal)) {
      types.push(event.type);
      if (event.type !== "created") continue;
      await new Promise((resolve) => setTimeout(resolve, 200));
      first.resolve();
    }
    expect(types).toEqual(["created", "completed"]);
  });
});

test("a provider's own record is enough: nothing else is read from variables", async () => {
  await using server = await startModelServer([[{ message: "Hi." }]]);
  await using client = createResponsesClient({
    provider: testProvider({ baseUrl: server.baseUrl }),
    model: modelInfoFor("m"),
    settings: {},
    variables: { OPENAI_API_KEY: "secret" },
    userAgent: "test/1.0",
    originator: "test",
  });
  await attempt(client);
  const { headers } = await server.request(0);
  expect(JSON.stringify(headers)).not.toContain("secret");
});

function settable<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: ((value: T) => void) | undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve: (value) => resolve?.(value) };
}
