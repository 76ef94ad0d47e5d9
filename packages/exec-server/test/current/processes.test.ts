import { expect, test } from "vitest";
import { turns } from "../server/fake-clock.ts";
import { base64, eventsOf, openCurrent, refused, startCurrent } from "./open-current.ts";

test("exec-server.md 4: output, exit and close share one count, nothing follows the close", async () => {
  const { client } = await openCurrent({
    programs: {
      quick: ({ process }) => {
        process.print("out");
        process.print("err", "stderr");
        process.finish({ code: 137, signal: "SIGKILL" });
      },
    },
  });
  expect(await client.call("process/start", startCurrent("p", ["quick"]))).toMatchObject({
    result: { processId: "p", sandboxType: "none" },
  });
  await client.notification("the close", ({ method }) => method === "process/closed");
  expect(eventsOf(client)).toEqual([
    { output: { seq: 1, stream: "stdout", chunk: base64("out") } },
    { output: { seq: 2, stream: "stderr", chunk: base64("err") } },
    { exited: { seq: 3, exitCode: 137, sandboxDenied: false } },
    { closed: { seq: 4 } },
  ]);
  expect(await client.call("process/read", { processId: "p" })).toMatchObject({
    result: {
      chunks: [
        { seq: 1, stream: "stdout", chunk: base64("out") },
        { seq: 2, stream: "stderr", chunk: base64("err") },
      ],
      nextSeq: 5,
      exited: true,
      exitCode: 137,
      closed: true,
      failure: null,
      sandboxDenied: false,
    },
  });
  expect(
    await client.call("process/read", { processId: "p", afterSeq: 1, maxBytes: 1 }),
  ).toMatchObject({ result: { chunks: [{ seq: 2 }], nextSeq: 5 } });
});

test("exit is not close: a descendant's output comes between them", async () => {
  const { client, clock, script } = await openCurrent();
  await client.call("process/start", startCurrent("p", ["idle"]));
  script().finish({ code: 0 }, { keepOutputOpen: true });
  for (let turn = 0; turn < 3; turn += 1) {
    await turns();
    clock.pass(50);
  }
  await client.notification("the exit", ({ method }) => method === "process/exited");
  const read = client.call("process/read", { processId: "p", afterSeq: 1, waitMs: 1_000 });
  await turns();
  script().print("late");
  expect(await read).toMatchObject({
    result: { chunks: [{ seq: 2 }], nextSeq: 3, exited: true, closed: false },
  });
  script().closeOutput();
  await client.notification("the close", ({ method }) => method === "process/closed");
  expect(eventsOf(client)).toEqual([
    { exited: { seq: 1, exitCode: 0, sandboxDenied: false } },
    { output: { seq: 2, stream: "stdout", chunk: base64("late") } },
    { closed: { seq: 3 } },
  ]);
});

test("a read waits for output, an exit not yet seen or the close, and holds up nothing", async () => {
  const { client, script } = await openCurrent();
  await client.call("process/start", startCurrent("p", ["idle"]));
  const waiting = client.call("process/read", { processId: "p", waitMs: 60_000 });
  expect(await client.call("environment/status", null)).toMatchObject({
    result: { status: "ready" },
  });
  script().finish({ code: 7 }, { keepOutputOpen: false });
  expect(await waiting).toMatchObject({ result: { exited: true, exitCode: 7 } });
});

test("exec-server.md 4: exited processes are known for 80 s, and cannot be terminated", async () => {
  const { client, clock, script } = await openCurrent();
  await client.call("process/start", startCurrent("p", ["idle"]));
  expect(await client.call("process/terminate", { processId: "p" })).toMatchObject({
    result: { running: true },
  });
  expect(script().process).toBeDefined();
  await client.notification("the close", ({ method }) => method === "process/closed");
  await turns();
  expect(await client.call("process/terminate", { processId: "p" })).toMatchObject({
    result: { running: false },
  });
  clock.pass(79_999);
  expect(await client.call("process/start", startCurrent("p", ["idle"]))).toMatchObject(
    refused("process p already exists"),
  );
  clock.pass(1);
  expect(await client.call("process/start", startCurrent("p", ["idle"]))).toMatchObject({
    result: { processId: "p" },
  });
});

test("a start asks the environment for what was said: URI, policy, pipe, size", async () => {
  const { client, environment } = await openCurrent({ extensions: ["terminalSize"] });
  const envPolicy = {
    inherit: "core",
    ignoreDefaultExcludes: false,
    exclude: ["A*"],
    set: { B: "1" },
    includeOnly: ["B"],
  };
  const extra = { env: { TERM: "dumb" }, envPolicy, pipeStdin: true, arg0: "name" };
  await client.call("process/start", startCurrent("p", ["idle", "-x"], extra));
  await client.call("process/start", {
    ...startCurrent("q", ["idle"], { tty: true, cwd: "/work" }),
    size: { rows: 50, columns: 132 },
  });
  expect(environment.starts.map(({ options }) => options)).toEqual([
    {
      argv: ["idle", "-x"],
      cwd: "/work",
      arg0: "name",
      env: { ...envPolicy, overlay: { TERM: "dumb" } },
      tty: false,
      stdin: "open",
      sandbox: { mode: "danger-full-access" },
    },
    {
      argv: ["idle"],
      cwd: "/work",
      env: {
        inherit: "none",
        ignoreDefaultExcludes: true,
        exclude: [],
        set: {},
        includeOnly: [],
        overlay: {},
      },
      tty: { rows: 50, columns: 132 },
      stdin: "open",
      sandbox: { mode: "danger-full-access" },
    },
  ]);
});

test.each([
  [{ argv: [] }, refused("argv must not be empty", -32_602)],
  [
    { argv: ["missing"] },
    {
      error: {
        code: -32_603,
        message: "No such file or directory (os error 2)",
        data: { kind: "spawnNotFound" },
      },
    },
  ],
  [
    { cwd: "file:///nope" },
    {
      error: {
        code: -32_603,
        message: "No such file or directory (os error 2)",
        data: { kind: "spawnNotFound" },
      },
    },
  ],
  [
    { enforceManagedNetwork: true },
    refused("a managed network is not supported by this exec-server"),
  ],
  [{ managedNetwork: {} }, refused("a managed network is not supported by this exec-server")],
  [{ networkProxy: {} }, refused("a managed network is not supported by this exec-server")],
  [{ shellSnapshot: {} }, refused("shell snapshots are not supported by this exec-server")],
])("a start with %j is refused and its id is free", async (extra, answer) => {
  const { client } = await openCurrent();
  const start = startCurrent("p", ["idle"]);
  expect(await client.call("process/start", { ...start, ...extra })).toEqual({ id: 2, ...answer });
  expect(await client.call("process/start", start)).toMatchObject({ result: { processId: "p" } });
});

test("exec-server.md 4: a write is answered by its status", async () => {
  const { client, script } = await openCurrent();
  const write = (processId: string, writeId: string, text = "hi") =>
    client.call("process/write", { processId, writeId, chunk: base64(text) });
  const status = (name: string) => ({ result: { status: name } });
  expect(await write("p", "1")).toMatchObject(status("unknownProcess"));
  await client.call("process/start", startCurrent("p", ["idle"]));
  expect(await write("p", "1")).toMatchObject(status("stdinClosed"));
  await client.call("process/start", startCurrent("q", ["idle"], { pipeStdin: true }));
  expect(await write("q", "1")).toMatchObject(status("accepted"));
  script(1).finish();
  await client.notification("the exit", ({ method }) => method === "process/exited");
  expect(await write("q", "2")).toMatchObject(status("stdinClosed"));
  expect(await write("q", "")).toMatchObject(refused("writeId must not be empty", -32_602));
  expect(await write("q", "x".repeat(257))).toMatchObject(
    refused("writeId must not be longer than 256", -32_602),
  );
  const padded = { processId: "q", writeId: "3", chunk: "aG" };
  expect(await client.call("process/write", padded)).toMatchObject(
    refused("Invalid padding", -32_602),
  );
});

test("exec-server.md 4: a write that is sent again is acknowledged and not written again, among the last 4,096", async () => {
  const { client, script } = await openCurrent();
  await client.call("process/start", startCurrent("p", ["idle"], { tty: true }));
  const write = (writeId: string, text: string) =>
    client.call("process/write", { processId: "p", writeId, chunk: base64(text) });
  await Promise.all([write("1", "a"), write("1", "a"), write("2", "b")]);
  for (let id = 3; id <= 4_096; id += 1) await write(String(id), "");
  await write("1", "a");
  expect(script().input()).toBe("ab");
  await write("4097", "");
  await write("1", "c");
  expect(script().input()).toBe("abc");
  script().finish();
  await client.notification("the exit", ({ method }) => method === "process/exited");
  expect(await write("1", "c")).toMatchObject({ result: { status: "accepted" } });
});

test("an interrupt is SIGINT; for what is not there nothing happens", async () => {
  const { client, script } = await openCurrent();
  await client.call("process/start", startCurrent("p", ["idle"]));
  const interrupt = { signal: "interrupt" };
  expect(await client.call("process/signal", { processId: "p", ...interrupt })).toMatchObject({
    result: {},
  });
  expect(await client.call("process/signal", { processId: "q", ...interrupt })).toMatchObject({
    result: {},
  });
  expect(script().received).toEqual(["SIGINT"]);
});

test("the extensions of processes: signals, size, end of input, grace, list, the signal of the end", async () => {
  const { client, script } = await openCurrent({ extensions: "all" });
  await client.call("process/start", startCurrent("tty", ["idle"], { tty: true }));
  await client.call("process/start", startCurrent("pipe", ["idle"], { pipeStdin: true }));
  const size = { rows: 10, columns: 20 };
  const answers = [
    await client.call("process/signal", { processId: "tty", signal: "SIGHUP" }),
    await client.call("process/resize", { processId: "tty", size }),
    await client.call("process/closeStdin", { processId: "pipe" }),
  ];
  expect(answers).toMatchObject([{ result: {} }, { result: {} }, { result: {} }]);
  expect(script(0).received).toEqual(["SIGHUP", size]);
  expect(script(1).received).toEqual(["closeStdin"]);
  const write = { processId: "pipe", writeId: "1", chunk: base64("x") };
  expect(await client.call("process/write", write)).toMatchObject({
    result: { status: "stdinClosed" },
  });
  script(0).print("x");
  await client.notification("the output", ({ method }) => method === "process/output");
  const listed = (state: string) => ({
    processes: [
      { processId: "tty", tty: true, state, nextSeq: state === "closed" ? 4 : 2 },
      { processId: "pipe", tty: false, state: "running", nextSeq: 1 },
    ],
  });
  expect(await client.call("process/list", {})).toMatchObject({ result: listed("running") });
  expect(await client.call("process/terminate", { processId: "tty", graceMs: 5 })).toMatchObject({
    result: { running: true },
  });
  await client.notification("the close", ({ method }) => method === "process/closed");
  expect(eventsOf(client).slice(1)).toEqual([
    { exited: { seq: 2, exitCode: 143, sandboxDenied: false, signal: "SIGTERM" } },
    { closed: { seq: 3 } },
  ]);
  expect(await client.call("process/list", {})).toMatchObject({ result: listed("closed") });
  expect(await client.call("process/read", { processId: "tty" })).toMatchObject({
    result: { exitCode: 143, signal: "SIGTERM" },
  });
});

test("an extension's call that the process cannot follow says why, with its kind", async () => {
  const { client } = await openCurrent({ extensions: "all" });
  await client.call("process/start", startCurrent("tty", ["idle"], { tty: true }));
  await client.call("process/start", startCurrent("pipe", ["idle"]));
  const size = { rows: 10, columns: 20 };
  const answers = [
    await client.call("process/resize", { processId: "pipe", size }),
    await client.call("process/closeStdin", { processId: "tty" }),
    await client.call("process/closeStdin", { processId: "pipe" }),
    await client.call("process/closeStdin", { processId: "unknown" }),
    await client.call("process/start", startCurrent("p", ["missing"])),
  ];
  expect(answers.map((answer) => "error" in answer && answer.error.data)).toEqual([
    { kind: "unsupported" },
    { kind: "unsupported" },
    { kind: "stdinClosed" },
    undefined,
    { kind: "notFound" },
  ]);
});

test("a read says what is gone, to clients that ask for it", async () => {
  const limits = { retainedBytes: 8 };
  const { client, script } = await openCurrent({ limits, extensions: ["readGap"] });
  await client.call("process/start", startCurrent("p", ["idle"]));
  for (const text of ["1234", "5678", "9012"]) script().print(text);
  await client.notification("3", ({ params }) => (params as { seq: number }).seq === 3);
  expect(await client.call("process/read", { processId: "p" })).toMatchObject({
    result: { chunks: [{ seq: 2 }, { seq: 3 }], firstSeq: 2, droppedBytes: 4, nextSeq: 4 },
  });
});
