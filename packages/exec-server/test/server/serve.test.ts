import { ErrorCode, type JsonRpcMessage } from "@codex/protocol";
import {
  createMemoryEnvironment,
  type MemoryEnvironmentOptions,
  type MemoryProgram,
  type ScriptedProcess,
} from "@codex/environment/testing";
import { expect, onTestFinished, test } from "vitest";
import type { Clock, ServerLimits } from "@codex/exec-server";
import { connectBare, startParams } from "./bare-client.ts";
import { createFakeClock, turns } from "./fake-clock.ts";

const idle: MemoryProgram = () => {};

interface OpenOptions extends MemoryEnvironmentOptions {
  readonly clock?: Clock;
  readonly limits?: Partial<ServerLimits>;
  readonly isInitialized?: boolean;
  readonly isReading?: boolean;
}

/** Serves a memory environment to a bare client; `scripts` are the processes by the order of their start. */
async function open(options: OpenOptions = {}) {
  const { clock, limits = {}, isInitialized = true, isReading = true, ...memory } = options;
  const environment = createMemoryEnvironment({ programs: { idle }, ...memory });
  const client = connectBare({ environment, limits, isReading, ...(clock && { clock }) });
  onTestFinished(() => client[Symbol.asyncDispose]());
  if (isInitialized) await client.handshake();
  const script = (index = 0): ScriptedProcess => {
    const started = environment.starts[index];
    if (started === undefined) throw new Error(`process ${index} was not started`);
    return started.process;
  };
  return { environment, client, script };
}

const refused = (message: string, code: number = ErrorCode.invalidRequest) => ({
  error: { code, message },
});

test("seed K3: initialize answers with the version and nothing else", async () => {
  const { client } = await open({ isInitialized: false });
  expect(await client.call("initialize", { clientName: "x" })).toEqual({
    id: 1,
    result: { protocolVersion: "exec-server.v0" },
  });
});

test("seed L1: the gate opens with initialize and then initialized, once", async () => {
  const { client } = await open({ isInitialized: false });
  const read = () => client.call("process/read", { processId: "p" });
  expect(await read()).toMatchObject(
    refused("client must call initialize before using exec methods"),
  );
  await client.call("initialize", { clientName: "x" });
  expect(await read()).toMatchObject(
    refused("client must send initialized before using exec methods"),
  );
  await client.send({ method: "initialized" });
  expect(await read()).toMatchObject(refused("unknown process id p"));
  expect(await client.call("initialize", { clientName: "x" })).toMatchObject(
    refused("initialize may only be sent once per connection"),
  );
});

test("seed L17: params and method names are looked at before the gate", async () => {
  const { client } = await open({ isInitialized: false });
  expect(await client.call("process/start", { processId: "p" })).toMatchObject(
    refused("missing field `argv`", ErrorCode.invalidParams),
  );
  expect(await client.call("nope")).toMatchObject(refused("unknown method: nope"));
});

test.each<[string, JsonRpcMessage, string]>([
  ["initialized before initialize", { method: "initialized" }, "unexpectedNotification"],
  ["another notification", { method: "process/output", params: {} }, "unexpectedNotification"],
  ["an answer to nothing", { id: 6, result: {} }, "unexpectedAnswer"],
  ["an error to nothing", { id: 6, error: { code: 1, message: "x" } }, "unexpectedAnswer"],
  ["no message", { foo: 1 } as unknown as JsonRpcMessage, "malformed"],
])("seed L2, L18: %s ends the connection", async (_what, message, kind) => {
  const { client } = await open({ isInitialized: false });
  await client.send(message);
  expect(await client.served).toMatchObject({ name: "ProtocolError", kind });
});

test("seed L3: duplicate, sandbox, argv are checked in this order", async () => {
  const { client } = await open();
  const hostDefault = { sandbox: { mode: "hostDefault" } };
  const start = (id: string, argv: string[], extra?: object) =>
    client.call("process/start", startParams(id, argv, extra));
  expect(await start("p", ["idle"])).toMatchObject({ result: { processId: "p" } });
  expect(await start("p", [], hostDefault)).toMatchObject(refused("process p already exists"));
  expect(await start("q", [], hostDefault)).toMatchObject(
    refused("sandbox mode `hostDefault` is not supported by exec-server yet"),
  );
  expect(await start("q", [])).toMatchObject(
    refused("argv must not be empty", ErrorCode.invalidParams),
  );
});

test("seed L4: a program that cannot start is an internal error with the system's text, its id free", async () => {
  const { client } = await open();
  expect(await client.call("process/start", startParams("p", ["missing"]))).toMatchObject(
    refused("No such file or directory (os error 2)", ErrorCode.internalError),
  );
  expect(await client.call("process/start", startParams("p", ["idle"]))).toMatchObject({
    result: { processId: "p" },
  });
});

test("a start asks the environment for exactly what was said, and for nothing more", async () => {
  const { client, environment } = await open();
  const extra = { env: { ONE: "1" }, tty: true, arg0: "name", cwd: "." };
  await client.call("process/start", startParams("p", ["idle", "-x"], extra));
  expect(environment.starts[0]?.options).toEqual({
    argv: ["idle", "-x"],
    cwd: "/work",
    arg0: "name",
    env: {
      inherit: "none",
      ignoreDefaultExcludes: true,
      exclude: [],
      set: {},
      includeOnly: [],
      overlay: { ONE: "1" },
    },
    tty: { rows: 24, columns: 80 },
    stdin: "open",
    sandbox: { mode: "danger-full-access" },
  });
});

test("seed L16: the answer, all output, then one exit, though the program ended first", async () => {
  const { client } = await open({
    programs: {
      quick: ({ process }) => {
        process.print("out");
        process.print("err", "stderr");
        process.finish({ code: 3 });
      },
    },
  });
  const answer = client.call("process/start", startParams("p", ["quick"]));
  await client.notification("the exit", ({ method }) => method === "process/exited");
  expect(await answer).toEqual({ id: 2, result: { processId: "p" } });
  expect(client.notifications).toEqual([
    { method: "process/output", params: { processId: "p", stream: "stdout", chunk: "b3V0" } },
    { method: "process/output", params: { processId: "p", stream: "stderr", chunk: "ZXJy" } },
    { method: "process/exited", params: { processId: "p", exitCode: 3 } },
  ]);
});

test("a descendant that holds the streams delays the exit by the quiet time, and its late output still comes", async () => {
  const clock = createFakeClock();
  const { client, script } = await open({ clock });
  await client.call("process/start", startParams("p", ["idle"]));
  script().print("now");
  script().finish({ code: 0 }, { keepOutputOpen: true });
  await turns();
  clock.pass(40);
  script().print("still");
  await turns();
  clock.pass(50);
  await turns();
  expect(client.notifications.map(({ method }) => method)).toEqual([
    "process/output",
    "process/output",
  ]);
  clock.pass(50);
  await turns();
  expect(client.notifications.at(-1)?.method).toBe("process/exited");
  script().print("late");
  await turns();
  const late = { processId: "p", stream: "stdout", chunk: "bGF0ZQ==" };
  expect(client.notifications.at(-1)).toEqual({ method: "process/output", params: late });
});

test("a descendant that never stops printing cannot hold back the exit for ever", async () => {
  const clock = createFakeClock();
  const { client, script } = await open({ clock });
  await client.call("process/start", startParams("p", ["idle"]));
  script().finish({ code: 0 }, { keepOutputOpen: true });
  await turns();
  for (let count = 0; count < 50; count += 1) {
    script().print(new Uint8Array(65_536));
    await turns(2);
    clock.pass(50);
  }
  await client.notification("the exit", ({ method }) => method === "process/exited");
});

test("a process that was lost with its machine ends with -1", async () => {
  const { client, script } = await open();
  await client.call("process/start", startParams("p", ["idle"]));
  script().lose("gone");
  const { params } = await client.notification("the exit", (n) => n.method === "process/exited");
  expect(params).toEqual({ processId: "p", exitCode: -1 });
});

test("seed L7: an exited process stays readable and its id reserved for 30 s", async () => {
  const clock = createFakeClock();
  const { client, script } = await open({ clock });
  await client.call("process/start", startParams("p", ["idle"]));
  script().print("hello");
  script().finish();
  await client.notification("the exit", ({ method }) => method === "process/exited");
  await turns();
  clock.pass(29_999);
  const retained = {
    chunks: [{ seq: 1, stream: "stdout", chunk: "aGVsbG8=" }],
    nextSeq: 2,
    exited: true,
    exitCode: 0,
  };
  expect(await client.call("process/read", { processId: "p" })).toMatchObject({ result: retained });
  expect(await client.call("process/start", startParams("p", ["idle"]))).toMatchObject(
    refused("process p already exists"),
  );
  expect(await client.call("process/terminate", { processId: "p" })).toMatchObject({
    result: { running: true },
  });
  clock.pass(1);
  expect(await client.call("process/read", { processId: "p" })).toMatchObject(
    refused("unknown process id p"),
  );
  expect(await client.call("process/start", startParams("p", ["idle"]))).toMatchObject({
    result: { processId: "p" },
  });
});

test("seed L9: a read waits for output, for the exit, or for its time", async () => {
  const clock = createFakeClock();
  const { client, script } = await open({ clock });
  await client.call("process/start", startParams("p", ["idle"]));
  const read = (afterSeq: number) =>
    client.call("process/read", { processId: "p", afterSeq, waitMs: 1_000 });
  const nothing = { chunks: [], nextSeq: 1, exited: false, exitCode: null };
  const timedOut = read(0);
  await turns();
  clock.pass(1_000);
  expect(await timedOut).toMatchObject({ result: nothing });
  const withOutput = read(0);
  await turns();
  script().print("x");
  expect(await withOutput).toMatchObject({ result: { nextSeq: 2, exited: false } });
  const withExit = read(1);
  await turns();
  script().finish({ code: 7 });
  expect(await withExit).toMatchObject({ result: { chunks: [], exited: true, exitCode: 7 } });
  expect(clock.waiting).toBe(1); // the retention alone
});

test("seed L10: a read that waits holds up nothing", async () => {
  const { client } = await open({ clock: createFakeClock() });
  await client.call("process/start", startParams("p", ["idle"]));
  const waiting = client.call("process/read", { processId: "p", waitMs: 60_000 });
  expect(await client.call("process/terminate", { processId: "p" })).toMatchObject({
    result: { running: true },
  });
  expect(await waiting).toMatchObject({ result: { exited: true, exitCode: 137 } });
});

test("what follows a start in one burst finds the process it started", async () => {
  const { client, script } = await open();
  const answers = await Promise.all([
    client.call("process/start", startParams("p", ["idle"], { tty: true })),
    client.call("process/write", { processId: "p", chunk: "aGk=" }),
    client.call("process/write", { processId: "p", chunk: "IQ==" }),
    client.call("process/read", { processId: "p" }),
  ]);
  expect(answers).toMatchObject([
    { result: { processId: "p" } },
    { result: { accepted: true } },
    { result: { accepted: true } },
    { result: { exited: false } },
  ]);
  expect(script().input()).toBe("hi!");
});

test("a process terminated while it starts is ended as soon as it has", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { client, environment } = await open();
  const start = environment.start.bind(environment);
  environment.start = async (options) => (await held, start(options));
  const started = client.call("process/start", startParams("p", ["idle"]));
  expect(await client.call("process/terminate", { processId: "p" })).toMatchObject({
    result: { running: true },
  });
  release();
  expect(await started).toMatchObject({ result: { processId: "p" } });
  const { params } = await client.notification("the exit", (n) => n.method === "process/exited");
  expect(params).toEqual({ processId: "p", exitCode: 137 });
});

test("file changes and what follows them in one burst keep their order", async () => {
  const { client } = await open();
  const path = "/work/file";
  const answers = await Promise.all([
    client.call("fs/writeFile", { path, dataBase64: "b25l" }),
    client.call("fs/readFile", { path }),
    client.call("fs/writeFile", { path, dataBase64: "dHdv" }),
    client.call("fs/copy", { sourcePath: path, destinationPath: "/work/copy" }),
    client.call("fs/remove", { path }),
    client.call("fs/readFile", { path: "/work/copy" }),
  ]);
  expect(answers.map((answer) => "result" in answer && answer.result)).toEqual([
    {},
    { dataBase64: "b25l" },
    {},
    {},
    {},
    { dataBase64: "dHdv" },
  ]);
});

test("a URI is taken for a path", async () => {
  const { client } = await open({ files: { "/work/a b": "x" } });
  expect(await client.call("fs/readFile", { path: "file:///work/a%20b" })).toMatchObject({
    result: { dataBase64: "eA==" },
  });
});

test("one process too many is refused, and started when another has ended", async () => {
  const { client } = await open({ limits: { maxProcesses: 1 } });
  await client.call("process/start", startParams("p", ["idle"]));
  const start = () => client.call("process/start", startParams("q", ["idle"]));
  expect(await start()).toMatchObject(refused("too many processes: the limit is 1"));
  await client.call("process/terminate", { processId: "p" });
  await client.notification("the exit", ({ method }) => method === "process/exited");
  expect(await start()).toMatchObject({ result: { processId: "q" } });
});

test("terminate gets through when too many requests wait", async () => {
  const { client } = await open({ limits: { maxPendingRequests: 3 }, clock: createFakeClock() });
  await client.call("process/start", startParams("p", ["idle"]));
  const waiting = [1, 2, 3].map(() =>
    client.call("process/read", { processId: "p", waitMs: 60_000 }),
  );
  expect(await client.call("process/read", { processId: "p" })).toMatchObject(
    refused("too many pending requests: the limit is 3"),
  );
  expect(await client.call("process/terminate", { processId: "p" })).toMatchObject({
    result: { running: true },
  });
  for (const answer of await Promise.all(waiting))
    expect(answer).toMatchObject({ result: { exited: true } });
});

test("a client that does not read holds the program back, and terminate still gets through", async () => {
  let printed = 0;
  let pulled = 0;
  const { client, environment } = await open({ isInitialized: false, isReading: false });
  const start = environment.start.bind(environment);
  environment.start = async (options) => {
    const process = await start(options);
    const output = (async function* () {
      for (; printed < 1_000; printed += 1) {
        pulled += 1;
        yield { stream: "stdout" as const, bytes: new Uint8Array(65_536) };
      }
    })();
    return Object.assign(Object.create(process) as typeof process, { output });
  };
  await client.send({ id: 1, method: "initialize", params: { clientName: "x" } });
  await client.send({ method: "initialized" });
  await client.send({ id: 2, method: "process/start", params: startParams("p", ["idle"]) });
  await turns(50);
  // The window of 1 MiB in base64, one more on its way, one in hand.
  expect(pulled).toBeLessThan(20);
  await client.send({ id: 3, method: "process/terminate", params: { processId: "p" } });
  await turns();
  expect(await environment.starts[0]?.process.process.exit).toMatchObject({ code: 137 });
});

test("seed L14: the end of the connection ends its processes, and wakes what waits", async () => {
  const { client, script } = await open({ clock: createFakeClock() });
  await client.call("process/start", startParams("p", ["idle"]));
  void client.send({
    id: 50,
    method: "process/read",
    params: { processId: "p", waitMs: 60_000 },
  });
  await turns();
  await client.transport[Symbol.asyncDispose]();
  expect(await client.served).toBeUndefined();
  expect(await script().process.exit).toEqual({ code: 137, signal: "SIGKILL" });
});

test("an aborted signal ends the processes, then the connection", async () => {
  const environment = createMemoryEnvironment({ programs: { idle } });
  const aborter = new AbortController();
  await using client = connectBare({ environment, signal: aborter.signal });
  await client.handshake();
  await client.call("process/start", startParams("p", ["idle"]));
  aborter.abort();
  expect(await client.served).toBeUndefined();
  expect(await environment.starts[0]?.process.process.exit).toMatchObject({ code: 137 });
});
