import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Connection, connectWebSocket, ResponseError } from "@codex/jsonrpc";
import {
  type CurrentParams,
  type CurrentResult,
  ErrorCode,
  execServerCurrent,
  type JsonRpcNotification,
} from "@codex/protocol";
import { within } from "@codex/test-support";
import { expect, onTestFinished, test } from "vitest";
import { type ServerProcess, startServer } from "../client/connections.ts";

const { requests, clientNotifications } = execServerCurrent;

async function open(args: readonly string[] = []): Promise<ServerProcess> {
  const server = await startServer(args);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** One connection that is initialized; a session that its lost connection still holds is asked for again. */
async function attach(
  url: string,
  hello: Omit<CurrentParams<"initialize">, "clientName">,
  onNotification: (notification: JsonRpcNotification) => void = () => {},
) {
  for (;;) {
    const connection = new Connection(await connectWebSocket({ url }), { onNotification });
    onTestFinished(() => connection[Symbol.asyncDispose]());
    try {
      const answer = await connection.request(requests.initialize, { clientName: "x", ...hello });
      await connection.notify(clientNotifications.initialized, {});
      return { connection, answer };
    } catch (error) {
      const isHeld = error instanceof ResponseError && error.code === ErrorCode.sessionAttached;
      if (!isHeld) throw error;
      await connection[Symbol.asyncDispose]();
      await delay(10);
    }
  }
}

const start = (argv: string[]): CurrentParams<"processStart"> => ({
  processId: "p",
  argv,
  cwd: "file:///",
  env: { PATH: process.env["PATH"] ?? "" },
  tty: false,
});

/** A way to the server that can be cut as often as is liked. */
async function openCuttable(url: string) {
  const sockets = new Set<Socket>();
  const proxy = createServer((near) => {
    const far = connect(Number(new URL(url).port), "127.0.0.1");
    join(near, far);
    join(far, near);
  });
  const join = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on("error", () => undefined);
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
    from.pipe(to);
  };
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const cut = () => sockets.forEach((socket) => socket.destroy());
  onTestFinished(() => (proxy.close(), cut()));
  return { url: `ws://127.0.0.1:${(proxy.address() as { port: number }).port}`, cut };
}

/** Puts together what a process printed, whatever way it came. */
class Received {
  readonly #early = new Map<number, Buffer>();
  readonly #parts: Buffer[] = [];
  nextSeq = 1;
  bytes = 0;
  missingBytes = 0;

  take({ seq, chunk }: { readonly seq: number; readonly chunk: string }): void {
    if (seq >= this.nextSeq) this.#early.set(seq, Buffer.from(chunk, "base64"));
    this.#settle();
  }

  /** An answer after a cut: what is gone is counted, what is there is taken. */
  catchUp({ chunks, firstSeq = 1, droppedBytes = 0 }: CurrentResult<"processRead">): void {
    if (firstSeq > this.nextSeq) {
      const before = [...this.#early].filter(([seq]) => seq < firstSeq);
      const held = before.reduce((sum, [, bytes]) => sum + bytes.length, 0);
      this.missingBytes += droppedBytes - this.bytes - this.missingBytes - held;
      for (const [seq] of before) this.#early.delete(seq);
      this.bytes += held;
      this.nextSeq = firstSeq;
    }
    chunks.forEach((chunk) => this.take(chunk));
  }

  get text(): string {
    return Buffer.concat(this.#parts).toString();
  }

  #settle(): void {
    for (let bytes = this.#early.get(this.nextSeq); bytes !== undefined;) {
      this.#early.delete(this.nextSeq);
      this.#parts.push(bytes);
      this.bytes += bytes.length;
      this.nextSeq += 1;
      bytes = this.#early.get(this.nextSeq);
    }
  }
}

const lastLine = 1_200_000;

/** Numbers printed over a link that is cut 20 times, each time when a part more has arrived. */
async function printThroughCuts(extensions: string[]): Promise<Received> {
  const server = await open();
  const link = await openCuttable(server.url);
  const received = new Received();
  const step = 350_000;
  let resumeSessionId: string | null = null;
  for (let cuts = 0; ; cuts += 1) {
    const isLast = cuts === 20;
    const cutAt = received.bytes + step;
    let connection: Connection | undefined;
    let finish = () => {};
    const over = new Promise<void>((resolve) => (finish = resolve));
    const acknowledge = () => {
      const ack = { processId: "p", seq: received.nextSeq - 1 };
      if (extensions.includes("outputAck"))
        void connection?.notify(clientNotifications.processAck, ack).catch(() => undefined);
    };
    const onNotification = ({ method, params }: JsonRpcNotification) => {
      if (method === "process/closed") return finish();
      if (method !== "process/output") return;
      received.take(params as { seq: number; chunk: string });
      acknowledge();
      if (!isLast && received.bytes > cutAt) link.cut();
    };
    const attached = await attach(link.url, { resumeSessionId, extensions }, onNotification);
    ({ connection } = attached);
    if (resumeSessionId === null)
      await connection.request(requests.processStart, start(["seq", "1", String(lastLine)]));
    resumeSessionId = attached.answer.sessionId;
    const afterSeq = received.nextSeq - 1;
    const page = await connection
      .request(requests.processRead, { processId: "p", afterSeq })
      .catch(() => undefined);
    if (page !== undefined) received.catchUp(page);
    // Also what was acknowledged before: that may have been lost with the link.
    acknowledge();
    if (page?.closed !== true) await Promise.race([over, connection.ended]);
    if (isLast || page?.closed === true) return received;
    link.cut();
    await connection.ended;
  }
}

test("8 MiB over a websocket that is cut 20 times arrive whole and in order, when they are acknowledged", async () => {
  const received = await within(printThroughCuts(["outputAck", "readGap"]), "all output", 60_000);
  const expected = Array.from({ length: lastLine }, (_, index) => `${index + 1}\n`).join("");
  expect(received.missingBytes).toBe(0);
  expect(received.bytes).toBe(expected.length);
  expect(received.text === expected).toBe(true);
}, 60_000);

test("without acknowledgements they are whole, or what is missing is counted to the byte", async () => {
  const received = await within(printThroughCuts(["readGap"]), "all output", 60_000);
  const size = Array.from({ length: lastLine }, (_, index) => `${index + 1}\n`).join("").length;
  expect(received.bytes + received.missingBytes).toBe(size);
}, 60_000);

/** The system's number of the process, as it printed it itself; then the link is gone. */
async function leaveBehind(server: ServerProcess): Promise<{ pid: number; sessionId: string }> {
  let printed = (_pid: number) => {};
  const pid = new Promise<number>((resolve) => (printed = resolve));
  const onNotification = ({ params }: JsonRpcNotification) =>
    printed(Number(Buffer.from((params as { chunk: string }).chunk, "base64").toString()));
  const { connection, answer } = await attach(
    server.url,
    { resumeSessionId: null },
    onNotification,
  );
  const argv = ["/bin/sh", "-c", "echo $$; exec sleep 600"];
  await connection.request(requests.processStart, start(argv));
  const number = await within(pid, "the process");
  await connection[Symbol.asyncDispose]();
  return { pid: number, sessionId: answer.sessionId };
}

async function untilGone(pid: number): Promise<void> {
  const poll = async () => {
    while (isAlive(pid)) await delay(20);
  };
  await within(poll(), `the end of process ${pid}`);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a server that is told to end takes the processes of lost connections with it", async () => {
  const server = await open();
  const { pid, sessionId } = await leaveBehind(server);
  const { answer } = await attach(server.url, { resumeSessionId: sessionId });
  expect(answer.sessionId).toBe(sessionId);
  expect(isAlive(pid)).toBe(true);
  server.child.kill("SIGTERM");
  await untilGone(pid);
});

test("with --session-grace-sec 0 processes end with their websocket", async () => {
  const server = await open(["--session-grace-sec", "0"]);
  const { pid, sessionId } = await leaveBehind(server);
  await untilGone(pid);
  await expect(attach(server.url, { resumeSessionId: sessionId })).rejects.toMatchObject({
    code: ErrorCode.invalidRequest,
    message: `unknown session id ${sessionId}`,
  });
});

test("a server that was killed and started anew on its port knows no session of before, and says who it is", async () => {
  const wanted = { extensions: ["instance"] };
  const first = await open();
  const { connection, answer } = await attach(first.url, { resumeSessionId: null, ...wanted });
  first.child.kill("SIGKILL");
  await connection.ended;
  await once(first.child, "exit").catch(() => undefined);
  const second = await open(["--listen", first.url]);
  const resumed = attach(second.url, { resumeSessionId: answer.sessionId, ...wanted });
  const refusal = await resumed.catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: ErrorCode.invalidRequest,
    data: { kind: "unknownSession" },
  });
  expect((refusal as { data: { instanceId: string } }).data.instanceId).not.toBe(answer.instanceId);
});
