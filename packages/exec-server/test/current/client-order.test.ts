import { exactEnvironment, type OutputChunk } from "@codex/environment";
import { createExecServerEnvironment, ExecServerClient } from "@codex/exec-server";
import type { CurrentResult } from "@codex/protocol";
import { fullAccess, toAbsolutePath } from "@codex/protocol";
import { onTestFinished, describe, expect, test } from "vitest";
import { FakeServer } from "../client/fake-server.ts";

describe("numbered events", () => {
  test("are put in order, and a process ends when all up to its close are there", async () => {
    const { server, process } = await started([]);
    await server.send(closed(5));
    await server.send(output(3, "three"));
    await server.send(output(1, "one "));
    await server.send(exited(4));
    await server.send(output(1, "again"));
    await server.send(output(2, "two "));
    expect(await chunksOf(process.output)).toEqual(["one ", "two ", "three"]);
    expect(await process.exit).toEqual({ code: 3 });
    await process.closed;
  });

  test("a server that leaves one out is asked for it before more than 256 wait", async () => {
    const { server, process } = await started([]);
    for (let seq = 2; seq <= 258; seq += 1) await server.send(output(seq, "."));
    const request = await server.request("process/read");
    expect(request.params).toEqual({ processId: "1", afterSeq: 0, maxBytes: null, waitMs: 0 });
    const chunks = Array.from({ length: 258 }, (_, index) => chunk(index + 1, "."));
    await server.answer(request, page({ chunks, nextSeq: 259 }));
    const pieces = process.output[Symbol.asyncIterator]();
    await pieces.next();
    await server.send(exited(259));
    await server.send(closed(260));
    expect((await chunksOf({ [Symbol.asyncIterator]: () => pieces })).length).toBe(257);
  });
});

describe("output that is gone after a cut", () => {
  test.each([
    ["is counted where the server counts", ["readGap"], { firstSeq: 7, droppedBytes: 103 }, 100],
    ["is told where it does not", [], {}, undefined],
  ])("%s", async (_name, extensions, facts, bytes) => {
    const { server, process, next } = await started(extensions);
    const pieces = process.output[Symbol.asyncIterator]();
    await server.send(output(1, "one"));
    expect((await pieces.next()).value).toEqual({ stream: "stdout", bytes: bytesOf("one") });
    await server[Symbol.asyncDispose]();
    const again = await next();
    const request = await again.request("process/read");
    expect(request.params).toMatchObject({ processId: "1", afterSeq: 1 });
    const chunks = [chunk(7, "seven")];
    const rest = { exited: true, exitCode: 3, closed: true, nextSeq: 10, ...facts };
    await again.answer(request, page({ chunks, ...rest }));
    expect((await pieces.next()).value).toEqual({
      stream: "stdout",
      bytes: bytesOf("seven"),
      gapBefore: { bytes },
    });
    expect((await pieces.next()).done).toBe(true);
    expect(await process.exit).toEqual({ code: 3 });
  });

  test("an exit between two pieces is no gap", async () => {
    const { server, process, next } = await started([]);
    const pieces = process.output[Symbol.asyncIterator]();
    await server.send(output(1, "one"));
    await pieces.next();
    await server[Symbol.asyncDispose]();
    const again = await next();
    const rest = { exited: true, exitCode: 3, closed: true, nextSeq: 5 };
    await again.answer(
      await again.request("process/read"),
      page({ chunks: [chunk(3, "late")], ...rest }),
    );
    expect((await pieces.next()).value).toEqual({ stream: "stdout", bytes: bytesOf("late") });
  });
});

/** A process of a server that is played here; `next` gives the server of the connection after a cut. */
async function started(extensions: readonly string[]) {
  const servers = [new FakeServer(), new FakeServer()] as const;
  const [first, second] = servers;
  const opening = ExecServerClient.open(
    first.clientTransport,
    {},
    { reconnect: { open: async () => second.clientTransport } },
  );
  const greet = async (server: FakeServer) => {
    await server.answer(await server.request("initialize"), { sessionId: "s", extensions });
    await server.notification("initialized");
  };
  await greet(first);
  const client = await opening;
  const environment = createExecServerEnvironment(client, {
    name: "far",
    cwd: toAbsolutePath("/"),
  });
  onTestFinished(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
    await client[Symbol.asyncDispose]();
  });
  const starting = environment.start({
    argv: ["true"],
    cwd: "/",
    env: exactEnvironment({}),
    tty: false,
    stdin: "closed",
    sandbox: fullAccess,
  });
  await first.answer(await first.request("process/start"), { processId: "1" });
  const next = async () => {
    await greet(second);
    return second;
  };
  return { server: first, process: await starting, next };
}

function output(seq: number, text: string) {
  return { method: "process/output", params: { processId: "1", ...chunk(seq, text) } };
}

function exited(seq: number) {
  return { method: "process/exited", params: { processId: "1", seq, exitCode: 3 } };
}

function closed(seq: number) {
  return { method: "process/closed", params: { processId: "1", seq } };
}

function chunk(seq: number, text: string) {
  return { seq, stream: "stdout" as const, chunk: Buffer.from(text).toString("base64") };
}

function page(facts: Partial<CurrentResult<"processRead">>): CurrentResult<"processRead"> {
  const nothing = { exited: false, exitCode: null, closed: false, failure: null };
  return { chunks: [], nextSeq: 1, ...nothing, ...facts };
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text);
}

async function chunksOf(chunks: AsyncIterable<OutputChunk>): Promise<string[]> {
  const texts: string[] = [];
  for await (const { bytes } of chunks) texts.push(Buffer.from(bytes).toString());
  return texts;
}
