import { createLocalEnvironment } from "@codex/environment";
import { expect, onTestFinished, test } from "vitest";
import { defaultServerLimits, SessionRegistry, systemClock } from "@codex/exec-server";
import { extensionNames, toAbsolutePath } from "@codex/protocol";
import { type BareClient, connectBare } from "../server/bare-client.ts";
import { turns } from "../server/fake-clock.ts";
import {
  base64,
  eventsOf,
  hello,
  openCurrent,
  openServer,
  refused,
  startCurrent,
} from "./open-current.ts";

const session = { result: { sessionId: "id-2" } };
const resume = (extra: object = {}) => ({ resumeSessionId: "id-2", ...extra });

async function cut(client: BareClient): Promise<void> {
  await client[Symbol.asyncDispose]();
  await turns();
}

const outputOf = (seq: number, text: string) => ({
  output: { seq, stream: "stdout", chunk: base64(text) },
});

test("a session lives on without its connection: what was missed is read, what follows is told", async () => {
  const { client, connect, script } = await openCurrent();
  await client.call("process/start", startCurrent("p", ["idle"]));
  script().print("one");
  await client.notification("the output", ({ method }) => method === "process/output");
  await cut(client);
  script().print("two");
  script().print("three");
  await turns();
  const next = connect();
  expect(await hello(next, resume())).toMatchObject(session);
  expect(await next.call("process/read", { processId: "p", afterSeq: 1 })).toMatchObject({
    result: {
      chunks: [
        { seq: 2, stream: "stdout", chunk: base64("two") },
        { seq: 3, stream: "stdout", chunk: base64("three") },
      ],
      nextSeq: 4,
      exited: false,
    },
  });
  script().print("four");
  script().finish({ code: 5 });
  await next.notification("the close", ({ method }) => method === "process/closed");
  expect(eventsOf(next)).toEqual([
    outputOf(4, "four"),
    { exited: { seq: 5, exitCode: 5, sandboxDenied: false } },
    { closed: { seq: 6 } },
  ]);
});

test("an end that nobody was connected for is read", async () => {
  const { client, connect, script } = await openCurrent();
  await client.call("process/start", startCurrent("p", ["idle"]));
  await cut(client);
  script().finish({ code: 3 });
  await turns();
  const next = connect();
  await hello(next, resume());
  expect(await next.call("process/read", { processId: "p", afterSeq: 0 })).toMatchObject({
    result: { chunks: [], nextSeq: 3, exited: true, exitCode: 3, closed: true },
  });
});

test("a program is held back while nobody is connected, before what it prints would be lost", async () => {
  const limits = { retainedBytes: 16 };
  const { client, connect, script } = await openCurrent({ limits, extensions: "all" });
  await client.call("process/start", startCurrent("p", ["idle"]));
  await cut(client);
  for (const text of ["1234", "5678", "9012", "3456", "7890", "1234"]) script().print(text);
  await turns();
  const next = connect();
  await hello(next, resume({ extensions: ["readGap"] }));
  // 24 bytes were printed and 16 are kept: the first would be gone, had it printed all of them.
  expect(await next.call("process/read", { processId: "p" })).toMatchObject({
    result: { firstSeq: 1, droppedBytes: 0 },
  });
  await next.notification("the last", ({ params }) => (params as { seq: number }).seq === 6);
  expect(eventsOf(next)).toEqual([
    outputOf(3, "9012"),
    outputOf(4, "3456"),
    outputOf(5, "7890"),
    outputOf(6, "1234"),
  ]);
});

test("a client that acknowledges is never ahead of what it can still read", async () => {
  const limits = { retainedBytes: 16 };
  const { client, script } = await openCurrent({ limits, extensions: ["outputAck"] });
  await client.call("process/start", startCurrent("p", ["idle"]));
  for (const text of ["1234", "5678", "9012"]) script().print(text);
  await turns();
  expect(eventsOf(client)).toEqual([outputOf(1, "1234"), outputOf(2, "5678")]);
  await client.send({ method: "process/ack", params: { processId: "p", seq: 1 } });
  await turns();
  expect(eventsOf(client).at(-1)).toEqual(outputOf(3, "9012"));
  await client.send({ method: "process/ack", params: { processId: "unknown", seq: 1 } });
  expect(await client.call("environment/status", null)).toMatchObject({
    result: { status: "ready" },
  });
});

test("exec-server.md 4: after 80 s without a connection its processes end and it is forgotten", async () => {
  const { client, clock, connect, script } = await openCurrent();
  await client.call("process/start", startCurrent("p", ["idle"]));
  await cut(client);
  clock.pass(79_999);
  const second = connect();
  expect(await hello(second, resume())).toMatchObject(session);
  await cut(second);
  clock.pass(80_000);
  expect(await script().process.exit).toEqual({ code: 137, signal: "SIGKILL" });
  const third = connect();
  expect(await hello(third, resume())).toMatchObject(refused("unknown session id id-2"));
});

test("with a grace of 0 a session ends with its connection", async () => {
  const { client, connect, script } = await openCurrent({ graceMs: 0 });
  await client.call("process/start", startCurrent("p", ["idle"]));
  await cut(client);
  expect(await script().process.exit).toEqual({ code: 137, signal: "SIGKILL" });
  expect(await hello(connect(), resume())).toMatchObject(refused("unknown session id id-2"));
});

test("exec-server.md 4: a session that another connection holds is -32010, and can be taken once it is free", async () => {
  const { client, connect } = await openCurrent();
  const next = connect();
  expect(await next.call("initialize", { clientName: "x", ...resume() })).toMatchObject({
    error: { code: -32_010, message: "session id-2 is attached to another connection" },
  });
  expect(await next.call("environment/status", null)).toMatchObject(
    refused("client must call initialize before using environment status methods"),
  );
  await cut(client);
  expect(await hello(next, resume())).toMatchObject(session);
});

test("a server that started anew is told by its instance", async () => {
  const { connect } = openServer();
  const wanted = { resumeSessionId: "of another life", extensions: ["instance"] };
  expect(await hello(connect(), wanted)).toMatchObject({
    error: {
      code: -32_600,
      message: "unknown session id of another life",
      data: { kind: "unknownSession", instanceId: "id-1" },
    },
  });
});

test("nothing is written twice, though its answer was lost with the connection", async () => {
  const { client, connect, script } = await openCurrent();
  await client.call("process/start", startCurrent("p", ["idle"], { tty: true }));
  const write = { processId: "p", writeId: "1", chunk: base64("once") };
  await client.send({ id: 99, method: "process/write", params: write });
  await turns();
  await cut(client);
  const next = connect();
  await hello(next, resume());
  expect(await next.call("process/write", write)).toMatchObject({
    result: { status: "accepted" },
  });
  expect(script().input()).toBe("once");
});

test("a read that waits ends with its connection", async () => {
  const { client, clock } = await openCurrent();
  await client.call("process/start", startCurrent("p", ["idle"]));
  const read = { processId: "p", waitMs: 60_000 };
  await client.send({ id: 99, method: "process/read", params: read });
  await turns();
  expect(clock.waiting).toBe(1);
  await cut(client);
  expect(clock.waiting).toBe(1); // the grace of the session alone
});

test("a start that is under way at the cut goes on, and its process is there", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { client, connect, environment } = await openCurrent({ extensions: "all" });
  const start = environment.start.bind(environment);
  environment.start = async (options) => (await held, start(options));
  await client.send({ id: 99, method: "process/start", params: startCurrent("p", ["idle"]) });
  await turns();
  await client.transport[Symbol.asyncDispose]();
  await turns();
  const next = connect();
  expect(await hello(next, resume({ extensions: extensionNames }))).toMatchObject(session);
  expect(await next.call("process/list", {})).toMatchObject({
    result: { processes: [{ processId: "p", state: "starting" }] },
  });
  release();
  await turns();
  expect(await next.call("process/list", {})).toMatchObject({
    result: { processes: [{ processId: "p", state: "running" }] },
  });
});

test("open files go with the session", async () => {
  const files = { "/work/f": "hello" };
  const { client, connect } = await openCurrent({ files });
  await client.call("fs/open", { handleId: "h", path: "file:///work/f" });
  await cut(client);
  const next = connect();
  await hello(next, resume());
  expect(await next.call("fs/readBlock", { handleId: "h", offset: 1, len: 3 })).toMatchObject({
    result: { chunk: base64("ell"), eof: false },
  });
});

test("a client that ends its session leaves nothing", async () => {
  const { client, connect, script } = await openCurrent({ extensions: ["sessionEnd"] });
  await client.call("process/start", startCurrent("p", ["idle"]));
  expect(await client.call("session/end", {})).toMatchObject({ result: {} });
  expect(await script().process.exit).toEqual({ code: 137, signal: "SIGKILL" });
  expect(await client.call("process/start", startCurrent("q", ["idle"]))).toMatchObject(
    refused("the connection is closing"),
  );
  await cut(client);
  expect(await hello(connect(), resume())).toMatchObject(refused("unknown session id id-2"));
});

test("sessions without a connection are bounded: the longest without goes first", async () => {
  const { client, connect, script } = await openCurrent({ limits: { maxDetachedSessions: 1 } });
  await client.call("process/start", startCurrent("p", ["idle"]));
  const other = connect();
  await hello(other, { resumeSessionId: null });
  await cut(client);
  await cut(other);
  expect(await script().process.exit).toEqual({ code: 137, signal: "SIGKILL" });
  expect(await hello(connect(), resume())).toMatchObject(refused("unknown session id id-2"));
  expect(await hello(connect(), { resumeSessionId: "id-3" })).toMatchObject({
    result: { sessionId: "id-3" },
  });
});

test("a server that ends takes the processes of every session with it", async () => {
  const { client, sessions, script } = await openCurrent();
  await client.call("process/start", startCurrent("p", ["idle"]));
  await cut(client);
  await sessions[Symbol.asyncDispose]();
  expect(await script().process.exit).toEqual({ code: 137, signal: "SIGKILL" });
});

/** Real output through a link that is cut again and again; gives what arrived, in order of its numbers, and what is missing. */
async function printThroughCuts(extensions: readonly string[]) {
  const cwd = toAbsolutePath(import.meta.dirname);
  const environment = createLocalEnvironment({ cwd, variables: process.env });
  onTestFinished(() => environment[Symbol.asyncDispose]());
  const common = { environment, limits: defaultServerLimits, clock: systemClock };
  await using sessions = new SessionRegistry({ ...common, graceMs: 60_000 });
  const chunks = new Map<number, Buffer>();
  let sessionId: string | null = null;
  let droppedBytes = 0;
  for (let connection = 0; ; connection += 1) {
    const client = connectBare({ environment, sessions });
    const { result } = (await hello(client, { resumeSessionId: sessionId, extensions })) as {
      readonly result: { readonly sessionId: string };
    };
    if (sessionId === null) {
      const argv = ["/usr/bin/seq", "1", "1200000"];
      await client.call("process/start", startCurrent("p", argv, { cwd: `file://${cwd}` }));
    }
    sessionId = result.sessionId;
    const take = ({ seq, chunk }: { seq: number; chunk: string }) =>
      chunks.set(seq, Buffer.from(chunk, "base64"));
    const read = await client.call("process/read", {
      processId: "p",
      afterSeq: Math.max(0, ...contiguous(chunks)),
    });
    const page = (read as { readonly result: { chunks: []; droppedBytes: number } }).result;
    page.chunks.forEach(take);
    ({ droppedBytes } = page);
    const isLast = connection === 20;
    const enough = chunks.size + 6;
    let at = 0;
    for (;;) {
      const seen = await client.notification("more", (n) => client.notifications.indexOf(n) >= at);
      at += 1;
      const params = seen.params as { readonly seq: number; readonly chunk: string };
      if (seen.method === "process/closed") break;
      if (seen.method !== "process/output") continue;
      take(params);
      const ack = { processId: "p", seq: Math.max(0, ...contiguous(chunks)) };
      if (extensions.includes("outputAck"))
        await client.send({ method: "process/ack", params: ack });
      if (!isLast && chunks.size >= enough) break;
    }
    await client[Symbol.asyncDispose]();
    if (isLast || client.notifications.at(-1)?.method === "process/closed") break;
  }
  const inOrder = [...chunks].toSorted(([a], [b]) => a - b).map(([, bytes]) => bytes);
  return { text: Buffer.concat(inOrder).toString(), droppedBytes };
}

/** Numbers from 1 on without a hole. */
function* contiguous(chunks: ReadonlyMap<number, unknown>): Generator<number> {
  for (let seq = 1; chunks.has(seq); seq += 1) yield seq;
}

test("8 MiB over a link that is cut 20 times arrive whole and in order", async () => {
  const { text, droppedBytes } = await printThroughCuts(["outputAck", "readGap"]);
  const expected = Array.from({ length: 1_200_000 }, (_, index) => `${index + 1}\n`).join("");
  expect(text.length).toBe(expected.length);
  expect(text === expected).toBe(true);
  expect(droppedBytes).toBeGreaterThan(0); // long read, and no longer kept
});
