import { createServer, type Server } from "node:net";
import { PassThrough } from "node:stream";
import { listenWebSocket } from "@codex/jsonrpc";
import { connectStdio, connectWebSocket, ExecServerClient } from "@codex/exec-server";
import { extensionNames } from "@codex/protocol";
import { within } from "@codex/test-support";
import { describe, expect, onTestFinished, test } from "vitest";
import { FakeServer, rejectionOf } from "./fake-server.ts";

describe("the handshake", () => {
  test("O1: as v0 the server is told the name codex-core and nothing else", async () => {
    await using server = new FakeServer();
    const opening = ExecServerClient.open(server.clientTransport, { dialect: "v0" });
    const initialize = await server.request("initialize");
    expect(initialize.params).toEqual({ clientName: "codex-core" });
    await server.answer(initialize, { protocolVersion: "exec-server.v0" });
    await (await opening)[Symbol.asyncDispose]();
  });

  test("by default the present form is asked for, with every extension by name", async () => {
    await using server = new FakeServer();
    const opening = ExecServerClient.open(server.clientTransport);
    const initialize = await server.request("initialize");
    expect(initialize.params).toEqual({
      clientName: "codex-core",
      resumeSessionId: null,
      extensions: extensionNames,
    });
    await server.answer(initialize, { sessionId: "s" });
    const client = await opening;
    expect(client.dialect.name).toBe("current");
    expect(await server.notification("initialized")).toEqual({ method: "initialized", params: {} });
    await client[Symbol.asyncDispose]();
  });

  test.each([
    [{ protocolVersion: "exec-server.v0" }, "v0"],
    [{ protocolVersion: "exec-server.v0", sessionId: "s" }, "current"],
    [{ sessionId: "s", extensions: ["rename", "a word of tomorrow"] }, "current"],
  ])("what the server speaks is read from its answer: %o", async (answer, dialect) => {
    await using server = new FakeServer();
    const opening = ExecServerClient.open(server.clientTransport);
    await server.answer(await server.request("initialize"), answer);
    await using client = await opening;
    expect(client.dialect.name).toBe(dialect);
  });

  test("O2, O10: over a pair of byte streams the frames are exactly the request with id 1 and `initialized` with an empty object", async () => {
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const lines: string[] = [];
    stdin.on("data", (bytes: Buffer) => {
      lines.push(...bytes.toString().trimEnd().split("\n"));
      if (lines.length === 1)
        stdout.write(`{"id":1,"result":{"protocolVersion":"exec-server.v0"}}\n`);
    });
    const client = await connectStdio(
      { stdin, stdout },
      { clientName: "test-client", dialect: "v0" },
    );
    await client[Symbol.asyncDispose]();
    expect(lines).toEqual([
      `{"id":1,"method":"initialize","params":{"clientName":"test-client"}}`,
      `{"method":"initialized","params":{}}`,
    ]);
  });

  test("O5, O8: a refused handshake passes code, text and data on, and the connection is closed", async () => {
    await using server = new FakeServer();
    const opening = rejectionOf(ExecServerClient.open(server.clientTransport));
    await server.refuse(await server.request("initialize"), -32600, "rejected", { why: "full" });
    expect(await opening).toMatchObject({
      name: "ExecServerError",
      kind: "server",
      message: "exec-server rejected request (-32600): rejected",
      code: -32600,
      data: { why: "full" },
    });
    await expect(server.frame()).rejects.toThrow("ended while waiting");
  });

  test("O5, O8: a silent peer times out after the time given", async () => {
    await using server = new FakeServer();
    const opening = ExecServerClient.open(server.clientTransport, { initializeTimeoutMs: 25 });
    expect(await rejectionOf(opening)).toMatchObject({
      kind: "initializeTimeout",
      message: "timed out waiting for exec-server initialize handshake after 25ms",
    });
  });

  test("an abort gives up the handshake with its reason", async () => {
    await using server = new FakeServer();
    const controller = new AbortController();
    const { signal } = controller;
    const opening = rejectionOf(ExecServerClient.open(server.clientTransport, { signal }));
    await server.request("initialize");
    const reason = new Error("changed my mind");
    controller.abort(reason);
    expect(await opening).toBe(reason);
  });

  test.each([
    [
      { protocolVersion: "exec-server.v9" },
      "protocol",
      /unsupported protocol version "exec-server.v9"/,
    ],
    [
      { version: 1 },
      "json",
      /^failed to serialize or deserialize exec-server JSON: .*protocolVersion/,
    ],
  ])("a server of another version is refused: %o", async (answer, kind, message) => {
    await using server = new FakeServer();
    const opening = rejectionOf(ExecServerClient.open(server.clientTransport));
    await server.answer(await server.request("initialize"), answer);
    expect(await opening).toMatchObject({ kind, message: expect.stringMatching(message) });
  });
});

describe("connectWebSocket", () => {
  test("O3: the name, the token and the handshake reach a server that listens", async () => {
    const seen: (string | undefined)[] = [];
    await using listener = await listenWebSocket({
      host: "127.0.0.1",
      port: 0,
      admit: ({ headers }) => {
        seen.push(headers.authorization);
        return { kind: "upgrade" };
      },
    });
    const opening = connectWebSocket({ websocketUrl: listener.url, token: "secret" });
    for await (const transport of listener.connections) {
      await using server = new FakeServer([transport, transport]);
      await server.acceptHandshake();
      await using client = await opening;
      expect(client.label).toBe(`websocket ${new URL(listener.url).host}`);
      break;
    }
    expect(seen).toEqual(["Bearer secret"]);
  });

  test("O3, O5: a port nobody listens at is an error that names the url", async () => {
    const url = `ws://127.0.0.1:${await freePort()}`;
    expect(await rejectionOf(connectWebSocket({ websocketUrl: url }))).toMatchObject({
      kind: "connect",
      message: expect.stringMatching(
        `^failed to connect to exec-server websocket \`${url}\`: .*ECONNREFUSED`,
      ),
    });
  });

  test("O3: a server that refuses the upgrade is told by its status, without the token", async () => {
    await using listener = await listenWebSocket({
      host: "127.0.0.1",
      port: 0,
      admit: () => ({ kind: "answer", status: 401, text: "unauthorized" }),
    });
    const { url } = listener;
    const refused = connectWebSocket({
      websocketUrl: url.replace("ws://", "ws://user:word@"),
      token: "secret",
    });
    expect(await rejectionOf(refused)).toMatchObject({
      kind: "connect",
      message: `failed to connect to exec-server websocket \`${url}/\`: server answered 401`,
    });
  });

  test("O3, O5: a peer that accepts and says nothing times out after the time given", async () => {
    const url = `ws://127.0.0.1:${await listen(createServer(() => undefined))}`;
    expect(
      await rejectionOf(connectWebSocket({ websocketUrl: url, connectTimeoutMs: 40 })),
    ).toMatchObject({
      kind: "connectTimeout",
      message: `timed out connecting to exec-server websocket \`${url}\` after 40ms`,
    });
  });

  test("an abort gives up connecting with its reason", async () => {
    const url = `ws://127.0.0.1:${await listen(createServer(() => undefined))}`;
    const signal = AbortSignal.timeout(20);
    const error = await within(
      rejectionOf(connectWebSocket({ websocketUrl: url, signal })),
      "abort",
    );
    expect(error).toBe(signal.reason);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<{ destroy(): void }>();
  server.on("connection", (socket) => sockets.add(socket));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as { port: number }).port;
}
