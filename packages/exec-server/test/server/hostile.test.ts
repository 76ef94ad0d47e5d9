import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { connectWebSocket, type ExecServerClient } from "@codex/exec-server";
import { toAbsolutePath } from "@codex/protocol";
import { within } from "@codex/test-support";
import { expect, onTestFinished, test } from "vitest";
import { type ServerProcess, startServer } from "../client/connections.ts";

/** Peers that speak the websocket well and behave badly. A second client must not feel them. */

const limits = ["--max-message-bytes", "1000000"];

test("a message that never ends is cut off at the limit", async () => {
  await using server = await startServer(limits);
  const served = await openClient(server);
  const socket = await openRaw(server);
  const closed = endOf(socket);
  let sent = 0;
  // A first frame of text, then continuation after continuation, none the last.
  for (let opcode = 1; !socket.destroyed && sent < 50_000_000; opcode = 0) {
    const payload = Buffer.alloc(50_000, "x");
    sent += payload.length;
    if (!socket.write(frame(opcode, payload))) await Promise.race([closed, drained(socket)]);
  }
  await within(closed, "the server to hang up");
  expect(sent).toBeLessThan(50_000_000);
  await expectServed(served);
});

test("requests without end from a peer that reads no answer stop being read, and cost the server little", async () => {
  await using server = await startServer(limits);
  const served = await openClient(server);
  const socket = await openRaw(server);
  const say = (message: object): Buffer => frame(0x81, Buffer.from(JSON.stringify(message)));
  socket.write(say({ id: 0, method: "initialize", params: { clientName: "hostile" } }));
  socket.write(say({ method: "initialized" }));
  socket.pause();
  const request = say({ id: 1, method: "fs/readDirectory", params: { path: "/usr/bin" } });
  // 20,000 answers of a good 100 KB, were they all made.
  for (let sent = 0; sent < 20_000; sent += 1) socket.write(request);
  for (let round = 0; round < 5; round += 1) await expectServed(served);
  expect(residentMegabytes(server)).toBeLessThan(400);
});

test("hundreds of connections that say nothing, or half a greeting, leave room for one that does", async () => {
  await using server = await startServer(limits);
  const sockets = Array.from({ length: 300 }, (_, index) => {
    const socket = connect(portOf(server), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    if (index % 2 === 0) socket.write("GET / HTTP/1.1\r\nHost: ");
    return once(socket, "connect");
  });
  await Promise.all(sockets);
  await expectServed(await openClient(server));
});

async function openClient(server: ServerProcess): Promise<ExecServerClient> {
  const client = await connectWebSocket({ websocketUrl: server.url });
  onTestFinished(() => client[Symbol.asyncDispose]());
  return client;
}

async function expectServed(client: ExecServerClient): Promise<void> {
  const answer = client.dialect.fileSystem.getMetadata(toAbsolutePath("/"), {});
  expect(await within(answer, "the second client's answer")).toMatchObject({ isDirectory: true });
}

/** A websocket after its handshake, as a bare socket. */
async function openRaw(server: ServerProcess): Promise<Socket> {
  const socket = connect(portOf(server), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  const lines = [
    "GET / HTTP/1.1",
    `Host: 127.0.0.1:${portOf(server)}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    "Sec-WebSocket-Version: 13",
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  await within(once(socket, "data"), "the upgrade");
  return socket;
}

/** One frame with a mask of zeros; `head` is its first byte. */
function frame(head: number, payload: Buffer): Buffer {
  const length = Buffer.alloc(payload.length < 126 ? 1 : 3);
  if (payload.length < 126) length[0] = 0x80 | payload.length;
  else {
    length[0] = 0x80 | 126;
    length.writeUInt16BE(payload.length, 1);
  }
  return Buffer.concat([Buffer.from([head]), length, Buffer.alloc(4), payload]);
}

function portOf(server: ServerProcess): number {
  return Number(new URL(server.url).port);
}

/** However it comes; `once` would reject for a reset. */
function endOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("drain", () => resolve()));
}

function residentMegabytes({ child }: ServerProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}
