import { Readable } from "node:stream";
import { brotliCompressSync, constants, createGzip, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readEventStream } from "../../src/model/responses/event-stream.ts";
import {
  attempt,
  clientFor,
  completed,
  completedEvent,
  loopbackServer,
  sse,
} from "./test-provider.ts";

const delta = (text: string) => ({ type: "response.output_text.delta", delta: text });

describe("readEventStream", () => {
  const text = `event: x\ndata: {"a":"ü\u2028\u{1F600}"}\n\n: ping\n\ndata: one\ndata: two\r\n\r\ndata: last\n\n`;
  const expected = ['{"a":"ü\u2028\u{1F600}"}', "one\ntwo", "last"];

  test.each([1, 2, 3, 7, 1000])("bytes in pieces of %d give the same events", async (size) => {
    const bytes = Buffer.from(text);
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
    expect(await all(pieces)).toEqual(expected);
  });

  test("a byte order mark at the start is not data", async () => {
    expect(await all([Buffer.from("\uFEFFdata: a\n\n")])).toEqual(["a"]);
  });

  test("an event the stream breaks off in is not one", async () => {
    expect(await all([Buffer.from("data: a\n\ndata: half")])).toEqual(["a"]);
  });

  test("a body without any event is given whole, so that an error in it is heard", async () => {
    expect(await all([Buffer.from('{"error":\n'), Buffer.from('"no"}')])).toEqual([
      '{"error":\n"no"}',
    ]);
    expect(await all([Buffer.from(": ping\n\n \n")])).toEqual([": ping"]);
    expect(await all([])).toEqual([]);
  });

  test("an event longer than 64 Mi characters is refused instead of kept", async () => {
    const piece = Buffer.alloc(1024 * 1024, "x");
    const body = Readable.from([Buffer.from("data: "), ...Array.from({ length: 65 }, () => piece)]);
    await expect(collect(body)).rejects.toMatchObject({ kind: "stream", phase: "stream" });
  });

  test("a long event in small pieces takes time in proportion to its length", async () => {
    const pieces = Array.from({ length: 20_000 }, () => Buffer.alloc(100, "x"));
    const started = performance.now();
    const events = await all([Buffer.from("data: "), ...pieces, Buffer.from("\n\n")]);
    expect(events.map((event) => event.length)).toEqual([2_000_000]);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  function all(pieces: readonly Uint8Array[]): Promise<readonly string[]> {
    return collect(Readable.from(pieces, { objectMode: false }));
  }

  async function collect(body: Readable): Promise<readonly string[]> {
    const events: string[] = [];
    for await (const data of readEventStream(body, 10_000)) events.push(data);
    return events;
  }
});

describe("content-encoding", () => {
  const answer = Buffer.from(sse(delta("Grüße\u2028")) + sse(completed));
  const events = [{ type: "text.delta", delta: "Grüße\u2028" }, completedEvent];

  test.each([
    ["gzip", gzipSync(answer)],
    ["x-gzip", gzipSync(answer)],
    ["GZIP", gzipSync(answer)],
    ["deflate", deflateSync(answer)],
    ["br", brotliCompressSync(answer)],
    ["identity", answer],
  ])("an answer in %s is read", async (encoding, bytes) => {
    await using server = await loopbackServer((_request, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(bytes);
    });
    await using client = clientFor(server.baseUrl);
    expect(await attempt(client)).toEqual({ events, error: undefined });
  });

  test("each event of a compressed answer is given when it comes", async () => {
    await using server = await loopbackServer((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
      gzip.pipe(response);
      gzip.write(sse(delta("a")));
    });
    await using client = clientFor(server.baseUrl);
    for await (const event of client.stream(
      { threadId: "t", turnId: "1", instructions: "", input: [], tools: [] },
      AbortSignal.timeout(5000),
    )) {
      expect(event).toEqual({ type: "text.delta", delta: "a" });
      return;
    }
    throw new Error("no event");
  });

  test("a compressed error body is read too", async () => {
    await using server = await loopbackServer((_request, response) => {
      response.writeHead(401, { "content-encoding": "gzip" });
      response.end(gzipSync('{"error":{"message":"Bad key"}}'));
    });
    await using client = clientFor(server.baseUrl);
    const { error } = await attempt(client);
    expect(error).toMatchObject({
      status: 401,
      message: expect.stringContaining("401 Unauthorized: Bad key, url"),
    });
  });

  test.each([
    ["breaks off", gzipSync(answer).subarray(0, 30), "stream closed before response.completed"],
    ["is none", answer, "Transport error: network error: incorrect header check"],
  ])("a gzip stream that %s is a broken answer", async (_what, bytes, reason) => {
    await using server = await loopbackServer((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(bytes);
    });
    await using client = clientFor(server.baseUrl);
    const { error } = await attempt(client);
    expect(error).toMatchObject({
      kind: "stream",
      isRetryable: true,
      message: `stream disconnected before completion: ${reason}`,
    });
  });

  test("a coding we do not know is named, not retried", async () => {
    await using server = await loopbackServer((_request, response) => {
      response.writeHead(200, { "content-encoding": "zstd" }).end(answer);
    });
    await using client = clientFor(server.baseUrl);
    expect((await attempt(client)).error).toMatchObject({
      kind: "stream",
      isRetryable: false,
      message: "cannot read an answer with content-encoding `zstd`",
    });
  });
});
