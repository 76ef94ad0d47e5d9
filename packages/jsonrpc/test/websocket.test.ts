import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createServer as createTcpServer, connect as connectTcp, type AddressInfo } from "node:net";
import { createHash } from "node:crypto";
import { within } from "@codex/test-support";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import {
  type Admission,
  type AdmissionRequest,
  connectWebSocket,
  type IncomingMessage,
  listenWebSocket,
  type Transport,
  TransportError,
  type WebSocketListener,
} from "../src/index.ts";

const local = { host: "127.0.0.1", port: 0 };

async function accept(listener: WebSocketListener): Promise<Transport> {
  const next = await within(listener.connections[Symbol.asyncIterator]().next(), "a connection");
  if (next.done === true) throw new Error("listener ended");
  return next.value;
}

/** A bare client of the `ws` package: the other side of the listener. */
async function openRaw(url: string, headers: Record<string, string> = {}): Promise<WebSocket> {
  const socket = new WebSocket(url, { headers });
  await once(socket, "open");
  return socket;
}

async function readAll(
  transport: Transport,
): Promise<{ messages: IncomingMessage[]; error: unknown }> {
  const messages: IncomingMessage[] = [];
  try {
    for await (const message of transport.messages) messages.push(message);
    return { messages, error: undefined };
  } catch (error) {
    return { messages, error };
  }
}

test("seed N9: text and binary frames are messages, ping is answered, close is clean", async () => {
  await using listener = await listenWebSocket(local);
  const raw = await openRaw(listener.url);
  await using transport = await accept(listener);
  const all = readAll(transport);
  raw.send('{"method":"text"}');
  raw.send(Buffer.from('{"method":"binary"}'));
  raw.ping();
  await once(raw, "pong");
  raw.send("not-json");
  raw.close();
  expect(await all).toEqual({
    messages: [
      { method: "text" },
      { method: "binary" },
      { malformed: "not JSON", excerpt: "not-json" },
    ],
    error: undefined,
  });
});

test("answers are text frames without compression, one message each", async () => {
  await using listener = await listenWebSocket(local);
  const raw = await openRaw(listener.url);
  await using transport = await accept(listener);
  const frames: [string, boolean][] = [];
  raw.on("message", (data: Buffer, isBinary) => frames.push([data.toString(), isBinary]));
  await transport.send({ id: 1, result: "ü" });
  await transport.send({ prefix: '{"id":2,"result":"', bytes: Buffer.from("hi"), suffix: '"}' });
  await transport[Symbol.asyncDispose]();
  await within(
    raw.readyState === WebSocket.CLOSED ? Promise.resolve() : once(raw, "close"),
    "close",
  );
  expect(frames).toEqual([
    ['{"id":1,"result":"ü"}', false],
    ['{"id":2,"result":"aGk="}', false],
  ]);
  expect(raw.extensions).toBe("");
});

test("a message over the limit ends the connection with code 1009 and a large one under it does not", async () => {
  await using listener = await listenWebSocket({ ...local, maxMessageBytes: 100_000 });
  const raw = await openRaw(listener.url);
  await using transport = await accept(listener);
  const all = readAll(transport);
  const closed = once(raw, "close");
  raw.send(JSON.stringify({ method: "fits", params: "x".repeat(90_000) }));
  raw.send(JSON.stringify({ method: "too large", params: "x".repeat(100_000) }));
  const { messages, error } = await all;
  expect(messages.length).toBe(1);
  expect(error).toMatchObject({ name: "TransportError", kind: "tooLarge" });
  expect((await closed)[0]).toBe(1009);
});

test("bytes that are no websocket end only their own connection", async () => {
  await using listener = await listenWebSocket(local);
  const { port } = new URL(listener.url);
  const garbage = connectTcp(Number(port), "127.0.0.1");
  garbage.end("\0\x01garbage\r\n\r\n");
  garbage.resume();
  await once(garbage, "close");
  const raw = await openRaw(listener.url);
  await using damaged = await accept(listener);
  const all = readAll(damaged);
  (raw as unknown as { _socket: NodeJS.WritableStream })._socket.write(Buffer.alloc(50, 0xff));
  expect((await all).error).toMatchObject({ kind: "failed" });
  await using client = await connectWebSocket({ url: listener.url });
  await using served = await accept(listener);
  await client.send({ method: "still served" });
  expect((await served.messages[Symbol.asyncIterator]().next()).value).toEqual({
    method: "still served",
  });
});

test("admission decides over every request, and sees what it asked for", async () => {
  const seen: AdmissionRequest[] = [];
  const answers: Record<string, Admission> = {
    "/readyz": { kind: "answer", status: 200, text: "ok" },
    "/": { kind: "upgrade" },
  };
  await using listener = await listenWebSocket({
    ...local,
    admit: (request) => {
      seen.push(request);
      return answers[request.path] ?? { kind: "answer", status: 404, text: "not found" };
    },
  });
  const http = listener.url.replace("ws:", "http:");
  const get = async (path: string) => {
    const response = await fetch(`${http}${path}`);
    return [response.status, await response.text()];
  };
  expect(await get("/readyz?a=1")).toEqual([200, "ok\n"]);
  expect(await get("/other")).toEqual([404, "not found\n"]);
  expect(await get("/")).toEqual([426, "websocket upgrade required\n"]);
  await expect(connectWebSocket({ url: `${listener.url}/other` })).rejects.toMatchObject({
    kind: "connect",
    status: 404,
  });
  await using client = await connectWebSocket({ url: listener.url, headers: { "x-a": "b" } });
  expect(client.label).toBe(`websocket ${new URL(listener.url).host}`);
  expect(seen.map(({ path, isUpgrade }) => [path, isUpgrade])).toEqual([
    ["/readyz", false],
    ["/other", false],
    ["/", false],
    ["/other", true],
    ["/", true],
  ]);
  expect(seen.at(-1)?.headers["x-a"]).toBe("b");
});

test("one connection too many is refused, and let in when another has gone", async () => {
  await using listener = await listenWebSocket({ ...local, maxConnections: 1 });
  const first = await connectWebSocket({ url: listener.url });
  await using served = await accept(listener);
  await expect(connectWebSocket({ url: listener.url })).rejects.toMatchObject({ status: 503 });
  await first[Symbol.asyncDispose]();
  expect((await readAll(served)).error).toBeUndefined();
  await using second = await connectWebSocket({ url: listener.url });
  expect(second.pendingBytes).toBe(0);
});

test("connecting fails by kind: refused, no websocket there, bad URL, aborted", async () => {
  const failing = (url: string, signal?: AbortSignal) =>
    connectWebSocket(signal === undefined ? { url } : { url, signal });
  const closed = createTcpServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as AddressInfo;
  // Accepts and says nothing.
  const hanging = failing(`ws://127.0.0.1:${port}`, AbortSignal.timeout(20));
  await expect(hanging).rejects.toMatchObject({ name: "TimeoutError" });
  closed.close();
  await expect(failing(`ws://127.0.0.1:${port}`)).rejects.toMatchObject({ kind: "connect" });
  await expect(failing("nonsense")).rejects.toBeInstanceOf(TransportError);
  await expect(failing("ws://127.0.0.1:1", AbortSignal.abort(new Error("no")))).rejects.toThrow(
    "no",
  );
});

test("an address that cannot be bound is an error", async () => {
  await using listener = await listenWebSocket(local);
  const port = Number(new URL(listener.url).port);
  await expect(listenWebSocket({ host: "127.0.0.1", port })).rejects.toMatchObject({
    name: "TransportError",
    kind: "connect",
  });
});

test("a peer that answers nothing is given up within three intervals", async () => {
  const server = await startDeafServer();
  const { port } = server.address() as AddressInfo;
  await using client = await connectWebSocket({
    url: `ws://127.0.0.1:${port}`,
    pingIntervalMs: 20,
  });
  const { error } = await within(readAll(client), "the end of a deaf peer", 2_000);
  expect(error).toMatchObject({ name: "TransportError", kind: "silent" });
  await expect(client.send({ method: "late" })).rejects.toMatchObject({
    name: "ConnectionClosedError",
    cause: { kind: "silent" },
  });
  server.closeAllConnections();
  server.close();
});

test("a peer that answers pings is kept, and a slow reader is not taken for a dead one", async () => {
  await using listener = await listenWebSocket({ ...local, pingIntervalMs: 10 });
  const raw = await openRaw(listener.url);
  await using transport = await accept(listener);
  const all = readAll(transport);
  let pings = 0;
  await new Promise<void>((resolve) =>
    raw.on("ping", () => {
      pings += 1;
      if (pings === 8) resolve();
    }),
  );
  raw.pause();
  const sending = (async () => {
    for (let count = 0; count < 300; count += 1)
      await transport.send({ prefix: '{"method":"', bytes: Buffer.alloc(65_536), suffix: '"}' });
  })();
  // Many intervals in which nothing can be heard.
  await new Promise((resolve) => setTimeout(resolve, 200));
  let received = 0;
  raw.on("message", () => (received += 1));
  raw.resume();
  await within(sending, "the slow reader to catch up");
  await expect.poll(() => received).toBe(300);
  raw.close();
  expect((await all).error).toBeUndefined();
});

test("a peer that takes nothing for the stall bound is given up", async () => {
  await using listener = await listenWebSocket({
    ...local,
    pingIntervalMs: 10,
    stalledPeerMs: 60,
  });
  const raw = await openRaw(listener.url);
  await using transport = await accept(listener);
  raw.pause();
  const sending = (async () => {
    for (;;)
      await transport.send({ prefix: '{"method":"', bytes: Buffer.alloc(65_536), suffix: '"}' });
  })();
  await expect(within(sending, "the stall bound")).rejects.toMatchObject({
    name: "ConnectionClosedError",
    cause: { kind: "silent" },
  });
  raw.terminate();
});

/** Shakes hands and never says another word. */
async function startDeafServer(): Promise<Server> {
  const server = createServer();
  server.on("upgrade", (request, socket) => {
    const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accepted = createHash("sha1").update(key).digest("base64");
    socket.on("error", () => socket.destroy());
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n` +
        `sec-websocket-accept: ${accepted}\r\n\r\n`,
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}
