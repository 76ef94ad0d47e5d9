import { ErrorCode, execServerV0, type JsonRpcMessage } from "@codex/protocol";
import { within } from "@codex/test-support";
import { expect, test } from "vitest";
import {
  Connection,
  ConnectionClosedError,
  type ConnectionOptions,
  createTransportPair,
  type IncomingMessage,
  ProtocolError,
  RequestTimeoutError,
  ResponseError,
  Router,
  SplicedResult,
  type Transport,
} from "../src/index.ts";

// Any definitions do: a connection knows no method.
const { processTerminate: sample, fsReadFile: bytes } = execServerV0.requests;
const { processExited: note } = execServerV0.serverNotifications;
const params = { processId: "p" };

/** A connection, and its peer as bare messages. */
function connect(options: ConnectionOptions = {}) {
  const [near, far] = createTransportPair();
  const connection = new Connection(near, options);
  const peer = far.messages[Symbol.asyncIterator]();
  const next = async (): Promise<IncomingMessage> => {
    const result = await within(peer.next(), "a message of the connection");
    if (result.done === true) throw new Error("the connection has ended");
    return result.value;
  };
  return { connection, far, next, say: (message: JsonRpcMessage) => far.send(message) };
}

test("seed O10: ids count from 1, and answers find their request in any order", async () => {
  const { connection, next, say } = connect();
  const first = connection.request(sample, params);
  const second = connection.request(sample, { processId: "q" });
  expect([await next(), await next()]).toEqual([
    { id: 1, method: "process/terminate", params },
    { id: 2, method: "process/terminate", params: { processId: "q" } },
  ]);
  await say({ id: 2, result: { running: true } });
  await say({ id: 1, result: { running: false } });
  expect([await first, await second]).toEqual([{ running: false }, { running: true }]);
  expect(connection.pendingRequests).toBe(0);
});

test("seed O9: a refused, ill-answered, aborted or timed out request leaves nothing pending", async () => {
  const { connection, next, say } = connect();
  const aborter = new AbortController();
  const refused = connection.request(sample, params);
  const wrong = connection.request(sample, params);
  const aborted = connection.request(sample, params, { signal: aborter.signal });
  const timedOut = connection.request(sample, params, { timeoutMs: 5 });
  for (let count = 0; count < 4; count += 1) await next();
  await say({ id: 1, error: { code: -32004, message: "no", data: { kind: "k" } } });
  await say({ id: 2, result: { running: "yes" } });
  aborter.abort(new Error("enough"));
  await expect(refused).rejects.toMatchObject({ code: -32004, message: "no", data: { kind: "k" } });
  await expect(wrong).rejects.toMatchObject({ name: "ProtocolError", kind: "badResult" });
  await expect(aborted).rejects.toThrow("enough");
  await expect(timedOut).rejects.toThrow(RequestTimeoutError);
  expect(connection.pendingRequests).toBe(0);
  await say({ id: 3, result: { running: true } });
  const after = connection.request(sample, params);
  await next();
  await say({ id: 5, result: { running: true } });
  expect(await after).toEqual({ running: true });
});

test("seed O13: the end of the peer rejects what is pending and what comes later", async () => {
  const { connection, far } = connect();
  const pending = [1, 2, 3].map(() => connection.request(sample, params));
  const outcomes = Promise.allSettled(pending);
  await far[Symbol.asyncDispose]();
  expect(await connection.ended).toBeUndefined();
  for (const { status, reason } of (await outcomes) as PromiseRejectedResult[])
    expect([status, reason]).toEqual(["rejected", expect.any(ConnectionClosedError)]);
  await expect(connection.request(sample, params)).rejects.toThrow(ConnectionClosedError);
});

test("disposing rejects what is pending, aborts handlers, and ends cleanly", async () => {
  const aborted: boolean[] = [];
  const { connection, say } = connect({
    onRequest: (_request, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          aborted.push(true);
          reject(new Error("aborted"));
        });
      }),
  });
  const pending = expect(connection.request(sample, params)).rejects.toThrow(ConnectionClosedError);
  await say({ id: 1, method: "wait" });
  await new Promise((resolve) => setImmediate(resolve));
  await connection[Symbol.asyncDispose]();
  await pending;
  expect([await connection.ended, aborted]).toEqual([undefined, [true]]);
});

test.each<[string, ConnectionOptions, JsonRpcMessage, string]>([
  ["a request nobody answers", {}, { id: 1, method: "m" }, "unexpectedRequest"],
  ["an answer to nothing", { unknownAnswers: "refuse" }, { id: 6, result: {} }, "unexpectedAnswer"],
  ["no message", {}, { foo: 1 } as unknown as JsonRpcMessage, "malformed"],
  [
    "a notification the handler refuses",
    {
      onNotification: () => {
        throw new ProtocolError("unexpectedNotification", "no");
      },
    },
    { method: "m" },
    "unexpectedNotification",
  ],
])("%s ends the connection with a protocol error", async (_name, options, message, kind) => {
  const { connection, say } = connect(options);
  const pending = expect(connection.request(sample, params)).rejects.toMatchObject({
    name: "ConnectionClosedError",
    cause: { kind },
  });
  await say(message);
  expect(await connection.ended).toMatchObject({ name: "ProtocolError", kind });
  await pending;
});

test("seed O11: unknown notifications and answers are ignored", async () => {
  const { connection, next, say } = connect();
  const pending = connection.request(sample, params);
  await next();
  await say({ method: "unknown/thing" });
  await say({ id: "other", result: 1 });
  await say({ id: 1, result: { running: true } });
  expect(await pending).toEqual({ running: true });
});

test("what is no message can be answered instead, and the connection goes on", async () => {
  const error = { code: ErrorCode.invalidRequest, message: "malformed" };
  const { next, say } = connect({ onMalformed: () => error, onRequest: () => "fine" });
  await say({ foo: 1 } as unknown as JsonRpcMessage);
  await say({ id: 1, method: "m" });
  expect([await next(), await next()]).toEqual([
    { id: -1, error },
    { id: 1, result: "fine" },
  ]);
});

test("results, refusals and failures of a handler become answers", async () => {
  const { next, say } = connect({
    onRequest: ({ method }) => {
      if (method === "refuse") throw new ResponseError(-1, "refused", { data: { a: 1 } });
      if (method === "fail") throw new TypeError("failed");
      if (method === "bytes")
        return new SplicedResult('{"data":"', Buffer.from("hi"), '","more":true}');
      return undefined;
    },
  });
  for (const method of ["refuse", "fail", "bytes", "nothing"]) await say({ id: method, method });
  expect([await next(), await next(), await next(), await next()]).toEqual([
    { id: "refuse", error: { code: -1, message: "refused", data: { a: 1 } } },
    { id: "fail", error: { code: ErrorCode.internalError, message: "failed" } },
    { id: "bytes", result: { data: "aGk=", more: true } },
    { id: "nothing", result: null },
  ]);
});

test("what a handler sends once it is answered arrives behind the answer", async () => {
  const { connection, next, say } = connect({
    onRequest: (_request, { answered }) => {
      void answered.then(() => connection.notify(note, { processId: "p", exitCode: 0 }));
      return "answer";
    },
  });
  await say({ id: 1, method: "m" });
  expect([await next(), await next()]).toEqual([
    { id: 1, result: "answer" },
    { method: "process/exited", params: { processId: "p", exitCode: 0 } },
  ]);
});

test("one request too many is refused, an urgent one is not, and a slow one holds up nobody", async () => {
  const held: (() => void)[] = [];
  const { next, say } = connect({
    maxPendingRequests: 2,
    isUrgent: (method) => method === "urgent",
    onRequest: ({ method }) =>
      method === "urgent" ? "done" : new Promise((resolve) => held.push(() => resolve("late"))),
  });
  await say({ id: 1, method: "slow" });
  await say({ id: 2, method: "slow" });
  await say({ id: 3, method: "slow" });
  expect(await next()).toEqual({
    id: 3,
    error: {
      code: ErrorCode.invalidRequest,
      message: "too many pending requests: the limit is 2",
    },
  });
  await say({ id: 4, method: "urgent" });
  expect(await next()).toEqual({ id: 4, result: "done" });
  for (const release of held) release();
  expect([await next(), await next()]).toEqual([
    { id: 1, result: "late" },
    { id: 2, result: "late" },
  ]);
});

test("a peer that asks and asks but reads no answer is not read any further", async () => {
  let handled = 0;
  const [near, far] = createTransportPair();
  await using connection = new Connection(near, {
    maxUnreadBytes: 2_000_000,
    onRequest: () => {
      handled += 1;
      return "x".repeat(1_000_000);
    },
  });
  for (let id = 0; id < 50; id += 1) await far.send({ id, method: "m" });
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(handled).toBeLessThan(6);
  expect(await readAnswers(far, 50)).toBe(50);
  await connection.settled();
});

test("settled waits for every answer that is under way", async () => {
  let release: (() => void) | undefined;
  const { connection, next, say } = connect({
    onRequest: () => new Promise((resolve) => (release = () => resolve(1))),
  });
  await say({ id: 1, method: "m" });
  await new Promise((resolve) => setImmediate(resolve));
  const settled = connection.settled().then(() => "settled");
  expect(await Promise.race([settled, Promise.resolve("waiting")])).toBe("waiting");
  release?.();
  expect([await settled, await next()]).toEqual(["settled", { id: 1, result: 1 }]);
});

test("seed L17: the router refuses what it does not know, and params that do not fit", async () => {
  const router = new Router().on(sample, ({ processId }) => ({ running: processId === "p" }));
  const { next, say } = connect({ onRequest: (request, call) => router.handle(request, call) });
  await say({ id: 1, method: sample.method, params });
  await say({ id: 2, method: sample.method, params: {} });
  await say({ id: 3, method: sample.method });
  await say({ id: 4, method: bytes.method });
  expect([await next(), await next(), await next(), await next()]).toEqual([
    { id: 1, result: { running: true } },
    { id: 2, error: { code: ErrorCode.invalidParams, message: "missing field `processId`" } },
    {
      id: 3,
      error: {
        code: ErrorCode.invalidParams,
        message: "Invalid input: expected object, received undefined",
      },
    },
    { id: 4, error: { code: ErrorCode.methodNotFound, message: "unknown method: fs/readFile" } },
  ]);
});

async function readAnswers(transport: Transport, count: number): Promise<number> {
  let answers = 0;
  for await (const message of transport.messages) {
    if ("result" in message) answers += 1;
    if (answers === count) break;
  }
  return answers;
}
