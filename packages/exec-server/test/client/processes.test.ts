import { type Environment, exactEnvironment, type SpawnOptions } from "@codex/environment";
import { createExecServerEnvironment } from "@codex/exec-server";
import { fullAccess, type JsonRpcRequest, toAbsolutePath } from "@codex/protocol";
import { within } from "@codex/test-support";
import { describe, expect, test } from "vitest";
import { connected, rejectionOf } from "./fake-server.ts";

const command: SpawnOptions = {
  argv: ["make", "it"],
  cwd: "/far/place",
  env: exactEnvironment({ ONLY: "this" }),
  tty: false,
  stdin: "closed",
  sandbox: fullAccess,
};

describe("a remote process", () => {
  test("J11: the start request says program, directory, variables and terminal, a name only when there is one, no sandbox", async () => {
    const { server, environment } = await open();
    const requests: JsonRpcRequest[] = [];
    for (const changes of [{}, { arg0: "other", tty: { rows: 24, columns: 80 } }]) {
      const starting = environment.start({ ...command, ...changes });
      const request = await server.request("process/start");
      requests.push(request);
      await server.answer(request, {
        processId: (request.params as { processId: string }).processId,
      });
      await starting;
    }
    const params = { argv: ["make", "it"], cwd: "/far/place", env: { ONLY: "this" } };
    expect(requests.map((request) => request.params)).toEqual([
      { processId: "1", ...params, tty: false, arg0: null },
      { processId: "2", ...params, tty: true, arg0: "other" },
    ]);
  });

  test("J12: output that overtakes the answer to the start is there", async () => {
    const { server, environment } = await open();
    const starting = environment.start(command);
    const request = await server.request("process/start");
    await server.output("1", "early");
    await server.answer(request, { processId: "1" });
    const process = await starting;
    expect(await nextText(process.output)).toBe("early");
  });

  test("O17: from the answer on its id is the key, for events before it too", async () => {
    const { server, environment } = await open();
    const starting = environment.start({ ...command, tty: { rows: 24, columns: 80 } });
    const request = await server.request("process/start");
    await server.output("other", "early ");
    await server.answer(request, { processId: "other" });
    const process = await starting;
    await server.output("other", "late");
    await server.output("1", "nobody's");
    const writing = process.write(Buffer.from("in"));
    const write = await server.request("process/write");
    expect(write.params).toEqual({ processId: "other", chunk: "aW4=" });
    await server.answer(write, { accepted: true });
    await writing;
    await server.exited("other", 4);
    await server.settleExit(2, 4);
    expect(await allText(process.output)).toBe("early late");
    expect(await process.exit).toEqual({ code: 4 });
  });

  test("O17: an exit that overtakes an answer with another id is not lost", async () => {
    const { server, environment } = await open();
    const starting = environment.start(command);
    const request = await server.request("process/start");
    await server.output("other", "all");
    await server.exited("other", 4);
    await server.answer(request, { processId: "other" });
    const process = await starting;
    await server.settleExit(1, 4);
    expect(await allText(process.output)).toBe("all");
    expect(await process.exit).toEqual({ code: 4 });
    await process.closed;
  });

  test("O15: the stream of an output survives, and chunks are at most 64 KiB", async () => {
    const { server, process } = await started();
    await server.output("1", "error\n", "stderr");
    await server.output("1", "x".repeat(100_000), "stdout");
    const output = process.output[Symbol.asyncIterator]();
    const chunks = [];
    for (let n = 0; n < 3; n += 1) {
      const { value } = await output.next();
      chunks.push([value.stream, value.bytes.length]);
    }
    expect(chunks).toEqual([
      ["stderr", 6],
      ["stdout", 65_536],
      ["stdout", 34_464],
    ]);
  });

  test("O16: after terminate it runs until the server says it has exited", async () => {
    const { server, process } = await started();
    let code: number | undefined;
    void process.exit.then((exit) => (code = exit.code));
    const terminating = process.terminate();
    const request = await server.request("process/terminate");
    expect(request.params).toEqual({ processId: "1" });
    await server.answer(request, { running: true });
    // A whole round trip later it still runs.
    const asking = process.write(Buffer.from("x"));
    await server.answer(await server.request("process/write"), { accepted: true });
    await asking;
    expect(code).toBeUndefined();
    await server.exited("1", 137);
    await terminating;
    expect(await process.exit).toEqual({ code: 137 });
  });

  test("O18: when the server goes, output, exit, closed and calls all end with one reason, without a code", async () => {
    const { server, process, environment } = await started();
    const changes: unknown[] = [];
    environment.onConnectionChange?.((change) => changes.push(change));
    await server.output("1", "before");
    const writing = rejectionOf(process.write(Buffer.from("x")));
    await server.request("process/write");
    await server[Symbol.asyncDispose]();
    const output = process.output[Symbol.asyncIterator]();
    expect(Buffer.from((await output.next()).value.bytes).toString()).toBe("before");
    const errors = await within(
      Promise.all(
        [
          Promise.resolve(output.next()),
          process.exit,
          process.closed,
          process.terminate(),
          process.write(Buffer.from("y")),
          environment.start(command),
          environment.info(),
        ].map(rejectionOf),
      ),
      "everything to reject",
    );
    for (const error of [await writing, ...errors]) {
      expect(error).toMatchObject({
        name: "ProcessError",
        kind: "lost",
        environment: "far",
        message: "environment `far` is lost: exec-server transport closed",
      });
    }
    expect(await rejectionOf(environment.fileSystem.readFile(toAbsolutePath("/a")))).toMatchObject({
      name: "FileSystemError",
      kind: "lost",
      environment: "far",
      path: "/a",
      message: "environment `far` is lost: exec-server transport closed",
    });
    expect(changes).toEqual([
      { state: "gaveUp", reason: "environment `far` is lost: exec-server transport closed" },
    ]);
    await within(Promise.resolve(environment[Symbol.asyncDispose]()), "its end");
  });

  test("output that comes after the exit is collected while the server says there is more", async () => {
    const { server, process } = await started();
    await server.output("1", "one ");
    await server.exited("1");
    await server.settleExit(2);
    await server.output("1", "two");
    expect(await allText(process.output)).toBe("one two");
    await process.closed;
  });

  test("a server that no longer knows the process after its exit closes it all the same", async () => {
    const { server, process } = await started();
    await server.output("1", "all");
    await server.exited("1", 2);
    await server.refuse(await server.request("process/read"), -32600, "unknown process id 1");
    expect(await allText(process.output)).toBe("all");
    await process.closed;
    expect(await process.exit).toEqual({ code: 2 });
  });

  test("closed waits until the last byte has been taken", async () => {
    const { server, process } = await started();
    await server.output("1", "all");
    await server.exited("1");
    await server.settleExit(1);
    let isClosed = false;
    void process.closed.then(() => (isClosed = true));
    await process.exit;
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).toBe(false);
    expect(await allText(process.output)).toBe("all");
    await process.closed;
  });

  test("J15: input after the exit, or refused by the server, is stdinClosed", async () => {
    const { server, process } = await started();
    const refused = rejectionOf(process.write(Buffer.from("x")));
    await server.refuse(await server.request("process/write"), -32600, "stdin is closed");
    expect(await refused).toMatchObject({ kind: "stdinClosed", environment: "far" });
    await server.exited("1");
    await process.exit;
    expect(await rejectionOf(process.write(Buffer.from("x")))).toMatchObject({
      kind: "stdinClosed",
    });
  });

  test("a start that is given up is ended under the id its answer brings", async () => {
    const { server, environment } = await open();
    const controller = new AbortController();
    const starting = rejectionOf(environment.start(command, controller.signal));
    const request = await server.request("process/start");
    const reason = new Error("not any more");
    controller.abort(reason);
    expect(await starting).toBe(reason);
    await server.answer(request, { processId: "other" });
    const terminate = await server.request("process/terminate");
    expect(terminate.params).toEqual({ processId: "other" });
  });

  test("disposing gives up an executor that does not answer, within 2 s", async () => {
    const { process, environment } = await started();
    const before = Date.now();
    await environment[Symbol.asyncDispose]();
    expect(Date.now() - before).toBeLessThan(4_000);
    expect(await rejectionOf(process.exit)).toMatchObject({ kind: "lost" });
  });
});

describe("a slow reader", () => {
  const piece = "x".repeat(256 * 1024);

  test("holds the server back while nobody else waits, and loses nothing", async () => {
    const { server, process } = await started();
    const flood = sendMany(server, 64);
    const output = process.output[Symbol.asyncIterator]();
    let received = (await output.next()).value.bytes.length;
    await new Promise((resolve) => setImmediate(resolve));
    expect(flood.sent).toBeLessThan(32);
    while (received < 64 * piece.length) received += (await output.next()).value.bytes.length;
    await flood.done;
    expect(received).toBe(64 * piece.length);
  });

  test("lets a call, another process's output and another exit through", async () => {
    const { server, environment } = await started();
    const flood = sendMany(server, 64);
    const other = await startNext(environment, server, "2");
    const read = nextText(other.output);
    // What is sent is behind the flood: its sender may have to wait.
    const hello = server.output("2", "hello");
    expect(await within(read, "output behind the flood")).toBe("hello");
    const { exit } = other;
    const bye = server.exited("2");
    expect(await within(exit, "an exit behind the flood")).toEqual({ code: 0 });
    await environment[Symbol.asyncDispose]();
    await Promise.allSettled([hello, bye, flood.done]);
  });

  test("is bounded however long somebody else waits", async () => {
    const { server, environment } = await started();
    const waiting = rejectionOf(environment.fileSystem.readFile(toAbsolutePath("/slow")));
    await server.request("fs/readFile");
    const flood = sendMany(server, 1024);
    await flood.stalled;
    // 64 MiB waits, and what the transport holds on its way.
    expect((flood.sent * piece.length) / 1024 / 1024).toBeGreaterThan(60);
    expect((flood.sent * piece.length) / 1024 / 1024).toBeLessThan(70);
    await environment[Symbol.asyncDispose]();
    await waiting;
  });

  function sendMany(server: Connected["server"], count: number) {
    const flood = { sent: 0, done: Promise.resolve(), stalled: Promise.resolve() };
    flood.done = (async () => {
      for (; flood.sent < count; flood.sent += 1) await server.output("1", piece);
    })();
    flood.done.catch(() => undefined);
    flood.stalled = (async () => {
      for (let before = -1; before < flood.sent;) {
        before = flood.sent;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    })();
    return flood;
  }
});

type Connected = Awaited<ReturnType<typeof connected>>;

async function open() {
  const { server, client } = await connected();
  const cwd = toAbsolutePath("/far/place");
  return { server, client, environment: createExecServerEnvironment(client, { name: "far", cwd }) };
}

async function started() {
  const opened = await open();
  return { ...opened, process: await startNext(opened.environment, opened.server, "1") };
}

async function startNext(environment: Environment, server: Connected["server"], id: string) {
  const starting = environment.start(command);
  await server.answer(await server.request("process/start"), { processId: id });
  return starting;
}

async function nextText(output: AsyncIterable<{ readonly bytes: Uint8Array }>): Promise<string> {
  const { value } = await output[Symbol.asyncIterator]().next();
  return Buffer.from(value.bytes).toString();
}

async function allText(output: AsyncIterable<{ readonly bytes: Uint8Array }>): Promise<string> {
  const pieces = [];
  for await (const { bytes } of output) pieces.push(bytes);
  return Buffer.concat(pieces).toString();
}
