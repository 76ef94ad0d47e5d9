import { existsSync } from "node:fs";
import { createLocalEnvironment } from "@codex/environment";
import {
  communicate,
  connectInProcess,
  type ExecServerClient,
  snapshot,
  wait,
} from "@codex/exec-server";
import { toAbsolutePath } from "@codex/protocol";
import { nextEvent, temporaryDirectory } from "@codex/test-support";
import { describe, expect, onTestFinished, test } from "vitest";
import { rejectionOf } from "./fake-server.ts";

const env = { PATH: "/usr/local/bin:/usr/bin:/bin" };

describe("connectInProcess", () => {
  test("O4: a process starts and its output comes as an event", async () => {
    const client = await connect();
    const events = client.events()[Symbol.asyncIterator]();
    expect(await start(client, ["printf", "hello"])).toEqual({ processId: "p" });
    expect(await nextEvent(events, "the output")).toMatchObject({
      type: "output",
      processId: "p",
      stream: "stdout",
      bytes: Buffer.from("hello"),
    });
    expect(await nextEvent(events, "the exit")).toMatchObject({ type: "exited", exitCode: 0 });
  });

  test("O4: read gives retained output, and the exit once there is one", async () => {
    const client = await connect();
    await start(client, ["printf", "hello"]);
    const first = await client.read({ processId: "p", waitMs: 5_000 });
    expect(first).toMatchObject({
      chunks: [{ seq: 1, stream: "stdout", chunk: "aGVsbG8=" }],
      nextSeq: 2,
    });
    const second = await client.read({ processId: "p", afterSeq: 1, waitMs: 5_000 });
    expect(second).toEqual({ chunks: [], nextSeq: 2, exited: true, exitCode: 0 });
  });

  test("O4: an empty argv and a write to an unknown process are refused by code and text", async () => {
    const client = await connect();
    expect(await rejectionOf(start(client, []))).toMatchObject({
      kind: "server",
      code: -32602,
      message: "exec-server rejected request (-32602): argv must not be empty",
    });
    expect(await rejectionOf(client.write("missing", Buffer.from("input")))).toMatchObject({
      kind: "server",
      code: -32600,
      message: "exec-server rejected request (-32600): unknown process id missing",
    });
  });

  test("O4: terminate is followed by the exit", async () => {
    const client = await connect();
    await start(client, ["sleep", "30"]);
    const events = client.events()[Symbol.asyncIterator]();
    expect(await client.terminate("p")).toEqual({ running: true });
    expect(await nextEvent(events, "the exit")).toMatchObject({ type: "exited", exitCode: 137 });
  });

  test("O14: disposing the client ends its processes", async () => {
    await using folder = await temporaryDirectory();
    const client = await connect();
    const marker = `${folder.path}/marker`;
    await start(client, ["sh", "-c", `echo $$; sleep 60; touch ${marker}`]);
    const { chunks } = await client.read({ processId: "p", waitMs: 5_000 });
    const pid = Number(Buffer.from(chunks[0]?.chunk ?? "", "base64").toString());
    await client[Symbol.asyncDispose]();
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    expect(existsSync(marker)).toBe(false);
  });
});

describe("results of a process", () => {
  test("P9: a snapshot holds each stream apart, while it runs and afterwards", async () => {
    const client = await connect();
    await start(client, ["sh", "-c", "printf out; printf err >&2; sleep 60"]);
    // Both chunks are there once there is one after the first.
    await client.read({ processId: "p", afterSeq: 1, waitMs: 5_000 });
    expect(await snapshot(client, "p")).toEqual({
      stdout: bytes("out"),
      stderr: bytes("err"),
      terminal: bytes(""),
      isTruncated: false,
      isRunning: true,
      exitCode: undefined,
    });
    await client.terminate("p");
    expect(await wait(client, "p")).toBe(137);
    expect(await snapshot(client, "p")).toMatchObject({ isRunning: false, exitCode: 137 });
  });

  test("P9: a snapshot tells that the server no longer has all of the output", async () => {
    const client = await connect();
    await start(client, ["head", "-c", "3000000", "/dev/zero"]);
    await wait(client, "p");
    const { stdout, isTruncated } = await snapshot(client, "p");
    expect(stdout.length).toBeLessThanOrEqual(1024 * 1024);
    expect(isTruncated).toBe(true);
  });

  test("P3: communicate writes the input and collects what a terminal shows until the end", async () => {
    const client = await connect();
    await start(client, ["sh", "-c", "stty -echo; read line; echo got $line; exit 3"], true);
    const result = await communicate(client, "p", { input: bytes("it\n") });
    expect(result).toMatchObject({ isRunning: false, exitCode: 3, isTruncated: false });
    expect(Buffer.from(result.terminal).toString()).toContain("got it\r\n");
  });

  test("P3: communicate keeps as much as it is told to, and says so", async () => {
    const client = await connect();
    await start(client, ["sh", "-c", "echo 123456789"]);
    expect(await communicate(client, "p", { maxBytes: 4 })).toEqual({
      stdout: bytes("1234"),
      stderr: bytes(""),
      terminal: bytes(""),
      isTruncated: true,
      isRunning: false,
      exitCode: 0,
    });
  });

  test("waiting can be given up; the process runs on", async () => {
    const client = await connect();
    await start(client, ["sleep", "60"]);
    const controller = new AbortController();
    const waiting = rejectionOf(wait(client, "p", { signal: controller.signal }));
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await waiting).toBe(reason);
    expect(await snapshot(client, "p")).toMatchObject({ isRunning: true });
  });
});

async function connect(): Promise<ExecServerClient> {
  const environment = createLocalEnvironment({
    cwd: toAbsolutePath("/"),
    variables: process.env,
  });
  const client = await connectInProcess(environment, { dialect: "v0" });
  onTestFinished(() => client[Symbol.asyncDispose]());
  return client;
}

function start(client: ExecServerClient, argv: string[], tty = false) {
  return client.exec({ processId: "p", argv, cwd: "/", env, tty });
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
