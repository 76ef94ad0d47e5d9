import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { connect as connectTcp } from "node:net";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import {
  type Connection,
  connectWebSocket,
  Connection as JsonRpcConnection,
  createLineTransport,
  type Transport,
} from "@codex/jsonrpc";
import { execServerV0, type ExecParams } from "@codex/protocol";
import { temporaryDirectory, within } from "@codex/test-support";
import { expect, onTestFinished, test } from "vitest";
import { createRandom } from "./random.ts";

const { requests, clientNotifications } = execServerV0;

const packageBinary = fileURLToPath(new URL("../../bin/codex-exec-server.js", import.meta.url));

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

interface Server {
  readonly child: Child;
  readonly stderr: () => string;
  readonly exited: Promise<{ code: number | null; stderr: string }>;
}

/** The built binary of the package, as a process of its own; killed with the test. */
function start(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Server {
  const child = spawn(process.execPath, [packageBinary, ...args], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (bytes: Buffer) => (stderr += bytes.toString()));
  child.stdin.on("error", () => undefined);
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "close").then(([code]) => ({ code: code as number | null, stderr }));
  return { child, stderr: () => stderr, exited: within(exited, "the end of the server") };
}

async function startWebSocket(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const server = start(["--listen", "ws://127.0.0.1:0", ...args], env);
  const [url] = (await within(
    once(createInterface(server.child.stdout), "line"),
    "the printed URL",
  )) as [string];
  return { ...server, url };
}

async function shakeHands(connection: Connection): Promise<Connection> {
  onTestFinished(() => connection[Symbol.asyncDispose]());
  await connection.request(requests.initialize, { clientName: "test" });
  await connection.notify(clientNotifications.initialized, {});
  return connection;
}

function overStdio({ child }: Server): Promise<Connection> {
  const { stdin: writable, stdout: readable } = child;
  return shakeHands(
    new JsonRpcConnection(createLineTransport({ readable, writable, label: "server" })),
  );
}

async function overWebSocket(url: string, token?: string): Promise<Connection> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return shakeHands(new JsonRpcConnection(await connectWebSocket({ url, headers })));
}

function startParams(
  processId: string,
  argv: string[],
  extra: Partial<ExecParams> = {},
): ExecParams {
  const env = { PATH: process.env["PATH"] ?? "" };
  return { processId, argv, cwd: "/", env, tty: false, arg0: null, ...extra };
}

const metadata = (connection: Connection) =>
  connection.request(requests.fsGetMetadata, { path: "/" });

test("seed N1, N5: the default is stdio, and the end of the input is the end, with status 0", async () => {
  const server = start();
  const connection = await overStdio(server);
  expect(await metadata(connection)).toMatchObject({ isDirectory: true });
  await connection.request(requests.processStart, startParams("p", ["sleep", "60"]));
  server.child.stdin.end();
  expect(await server.exited).toEqual({ code: 0, stderr: "" });
});

test("a client that no longer reads is gone, although its side of the input stays open", async () => {
  const server = start();
  const connection = await overStdio(server);
  await connection.request(requests.processStart, startParams("p", ["yes"]));
  server.child.stdout.destroy();
  expect(await server.exited).toEqual({ code: 0, stderr: "" });
});

test("seed N3: the bound URL is the first line on stderr, and stands alone on stdout", async () => {
  const { url, stderr } = await startWebSocket();
  expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/);
  await expect.poll(stderr).toBe(`codex-exec-server listening on ${url}\n`);
});

test.each([
  [["--listen", "ws://localhost:1"], 2, /expected `ws:\/\/IP:PORT`\n$/],
  [["--listen", "http://127.0.0.1:1"], 2, /expected `stdio:\/\/` or `ws:\/\/IP:PORT`\n$/],
  [["--wrong"], 2, /--wrong/],
  [["--listen", "ws://0.0.0.0:0"], 1, /a token is required to listen on 0\.0\.0\.0/],
  [["--listen", "ws://192.0.2.1:0"], 1, /a token is required/],
])("%j ends with status %i and a word", async (args, code, text) => {
  const ended = await start(args).exited;
  expect(ended.code).toBe(code);
  expect(ended.stderr).toMatch(text);
});

test("an address in use is an error that names it", async () => {
  const { url } = await startWebSocket();
  const ended = await start(["--listen", url]).exited;
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain(`cannot listen on ${new URL(url).host}: `);
});

test("--help names every flag and serves nothing", async () => {
  const { child, exited } = start(["--help"]);
  let stdout = "";
  child.stdout.on("data", (bytes: Buffer) => (stdout += bytes.toString()));
  expect(await exited).toEqual({ code: 0, stderr: "" });
  for (const flag of ["--listen", "--ws-auth", "--ws-token-file", "--max-message-bytes"])
    expect(stdout).toContain(flag);
});

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s ends the processes of every client, then the server",
  async (signal) => {
    await using directory = await temporaryDirectory();
    const { child, url, exited } = await startWebSocket();
    const connection = await overWebSocket(url);
    const script = `trap "" TERM HUP INT; echo $$ > pid; sleep 60 & wait`;
    await connection.request(
      requests.processStart,
      startParams("p", ["sh", "-c", script], { cwd: directory.path }),
    );
    const pidFile = `${directory.path}/pid`;
    await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, "utf8")).toMatch(/\n$/);
    const pid = Number(readFileSync(pidFile, "utf8"));
    child.kill(signal);
    expect((await exited).code).toBe(signal === "SIGTERM" ? 143 : 130);
    expect(isRunning(pid)).toBe(false);
  },
);

test("a token is asked for, from its file, its digest or the environment, and never handed on", async () => {
  await using directory = await temporaryDirectory({ token: "secret\n" });
  const auth = ["--ws-auth", "capability-token"];
  const digest = createHash("sha256").update("secret").digest("hex");
  const variables = { CODEX_EXEC_SERVER_CONNECTION_TOKEN: "secret" };
  const servers = await Promise.all([
    startWebSocket([...auth, "--ws-token-file", `${directory.path}/token`]),
    startWebSocket([...auth, "--ws-token-sha256", digest]),
    startWebSocket([], variables),
  ]);
  for (const { url, stderr } of servers) {
    await expect(connectWebSocket({ url })).rejects.toMatchObject({ status: 401 });
    const wrong = { authorization: "Bearer wrong" };
    await expect(connectWebSocket({ url, headers: wrong })).rejects.toMatchObject({ status: 401 });
    expect(await metadata(await overWebSocket(url, "secret"))).toMatchObject({ isDirectory: true });
    expect((await fetch(`${url.replace("ws", "http")}/readyz`)).status).toBe(200);
    expect(stderr()).not.toContain("secret");
  }
});

test("a web page does not get in, nor does a request for another host", async () => {
  const { url } = await startWebSocket();
  const origin = connectWebSocket({ url, headers: { origin: "http://127.0.0.1" } });
  await expect(origin).rejects.toMatchObject({ status: 403 });
  const rebound = connectWebSocket({ url, headers: { host: "evil.example.com" } });
  await expect(rebound).rejects.toMatchObject({ status: 403 });
});

test.each([21, 22, 23, 24])(
  "garbage of every kind leaves a second client served, and the log without a word of it (seed %i)",
  async (seed) => {
    const random = createRandom(seed);
    const { url, stderr } = await startWebSocket(["--max-message-bytes", "100000"]);
    const served = await overWebSocket(url);
    const port = Number(new URL(url).port);
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const garbage = garbageFor(index, random);
        if (index % 2 === 0) return sendRaw(port, garbage);
        const transport = await connectWebSocket({ url });
        const text = { prefix: garbage.toString("latin1"), bytes: Buffer.alloc(0), suffix: "" };
        await transport.send(text).catch(() => undefined);
        await within(ended(transport), "the server to hang up");
        await transport[Symbol.asyncDispose]();
      }),
    );
    expect(await metadata(served)).toMatchObject({ isDirectory: true });
    expect(stderr()).not.toContain("garbage-marker");
  },
);

function garbageFor(index: number, random: () => number): Buffer {
  const noise = Buffer.from(Array.from({ length: 500 }, () => Math.floor(random() * 256)));
  const marker = Buffer.from("garbage-marker");
  const endless = Buffer.alloc(index < 4 ? 200 : 300_000, "x");
  return Buffer.concat([marker, noise, endless]);
}

/** Reads to the end, however it comes. */
async function ended(transport: Transport): Promise<void> {
  try {
    for await (const _message of transport.messages);
  } catch (error) {
    expect(error).toMatchObject({ kind: "failed" });
  }
}

/** Writes to the port as it is, and waits for the server to hang up. */
async function sendRaw(port: number, bytes: Buffer): Promise<void> {
  const socket = connectTcp(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.resume();
  socket.end(bytes);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await within(closed, "the server to hang up");
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
