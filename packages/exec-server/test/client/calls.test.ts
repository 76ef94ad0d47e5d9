import { createTransportPair } from "@codex/jsonrpc";
import { ExecServerClient, ExecServerError, type ExecServerEvent } from "@codex/exec-server";
import { within } from "@codex/test-support";
import { describe, expect, test } from "vitest";
import { connected, rejectionOf } from "./fake-server.ts";

const start = { processId: "p", argv: ["true"], cwd: "/", env: {}, tty: false };

describe("calls", () => {
  test("O6: every method of the protocol is one call with the params as they are", async () => {
    const { server, client } = await connected();
    const path = "/a";
    const calls = [
      client.exec(start),
      client.read({ processId: "p", afterSeq: 1, maxBytes: 2, waitMs: 3 }),
      client.write("p", Buffer.from([0, 255])),
      client.terminate("p"),
      client.fsReadFile({ path }),
      client.fsWriteFile({ path, dataBase64: "AA==" }),
      client.fsCreateDirectory({ path, recursive: false }),
      client.fsGetMetadata({ path }),
      client.fsReadDirectory({ path }),
      client.fsRemove({ path, recursive: false, force: false }),
      client.fsCopy({ sourcePath: path, destinationPath: "/b", recursive: true }),
    ];
    const frames = [];
    for (const _ of calls) frames.push(await server.frame());
    expect(frames).toEqual([
      { id: 2, method: "process/start", params: start },
      {
        id: 3,
        method: "process/read",
        params: { processId: "p", afterSeq: 1, maxBytes: 2, waitMs: 3 },
      },
      { id: 4, method: "process/write", params: { processId: "p", chunk: "AP8=" } },
      { id: 5, method: "process/terminate", params: { processId: "p" } },
      { id: 6, method: "fs/readFile", params: { path } },
      { id: 7, method: "fs/writeFile", params: { path, dataBase64: "AA==" } },
      { id: 8, method: "fs/createDirectory", params: { path, recursive: false } },
      { id: 9, method: "fs/getMetadata", params: { path } },
      { id: 10, method: "fs/readDirectory", params: { path } },
      { id: 11, method: "fs/remove", params: { path, recursive: false, force: false } },
      {
        id: 12,
        method: "fs/copy",
        params: { sourcePath: path, destinationPath: "/b", recursive: true },
      },
    ]);
    const ended = Promise.allSettled(calls);
    await client[Symbol.asyncDispose]();
    await ended;
  });

  test("O5, O9: a refusal keeps code, text and data, and leaves nothing pending", async () => {
    const { server, client } = await connected();
    await using _ = client;
    const call = rejectionOf(client.exec(start));
    const data = { kind: "limit" };
    await server.refuse(
      await server.request("process/start"),
      -32600,
      "process p already exists",
      data,
    );
    expect(await call).toMatchObject({
      kind: "server",
      message: "exec-server rejected request (-32600): process p already exists",
      code: -32600,
      data,
    });
    expect(client.pendingRequests).toBe(0);
  });

  test("an abort gives up one call with its reason and leaves nothing pending; its late answer is ignored", async () => {
    const { server, client } = await connected();
    await using _ = client;
    const controller = new AbortController();
    const call = rejectionOf(client.fsReadFile({ path: "/a" }, { signal: controller.signal }));
    const request = await server.request("fs/readFile");
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(client.pendingRequests).toBe(0);
    await server.answer(request, { dataBase64: "" });
    await expectAlive(server, client);
  });

  test("O11: answers to unknown ids and unknown notifications are ignored", async () => {
    const { server, client } = await connected();
    await using _ = client;
    await server.send({ id: 99, result: {} });
    await server.send({ id: "text", error: { code: -1, message: "no" } });
    await server.notify("process/confetti", { processId: 7 });
    await expectAlive(server, client);
  });

  test.each([
    [
      "a request from the server",
      { id: 1, method: "client/surrender" },
      "exec-server protocol error: unexpected request client/surrender",
    ],
    [
      "a message that is none",
      { neither: true } as never,
      "exec-server protocol error: malformed message: not a JSON-RPC message",
    ],
    [
      "output that is not base64",
      { method: "process/output", params: { processId: "p", stream: "stdout", chunk: "?" } },
      "exec-server protocol error: bad process/output notification: chunk is not base64",
    ],
  ])("O5, O12: %s closes the client, and every call says why", async (_what, message, text) => {
    const { server, client } = await connected();
    const pending = rejectionOf(client.fsReadFile({ path: "/a" }));
    await server.request("fs/readFile");
    await server.send(message);
    const error = await pending;
    expect(error).toMatchObject({ kind: "protocol", message: text });
    expect(await client.ended).toBe(error);
    expect(await rejectionOf(client.terminate("p"))).toBe(error);
    await expect(server.frame()).rejects.toThrow("ended while waiting");
  });

  test("O5: an answer without the promised shape closes the client with its own kind", async () => {
    const { server, client } = await connected();
    const call = rejectionOf(client.fsGetMetadata({ path: "/a" }));
    await server.answer(await server.request("fs/getMetadata"), { isFile: true });
    const error = await call;
    expect(error).toMatchObject({
      kind: "json",
      message:
        "failed to serialize or deserialize exec-server JSON: bad answer to fs/getMetadata: missing field `isDirectory`",
    });
    expect(await client.ended).toBe(error);
  });

  test("O13: when the server goes, ten pending calls, later calls and subscribers all end with one reason", async () => {
    const { server, client } = await connected();
    const events = client.events()[Symbol.asyncIterator]();
    const next = events.next();
    const pending = Array.from({ length: 10 }, () =>
      rejectionOf(client.fsReadFile({ path: "/a" })),
    );
    for (const _ of pending) await server.request("fs/readFile");
    await server[Symbol.asyncDispose]();
    const reasons = await within(Promise.all(pending), "ten rejections");
    const later = await rejectionOf(client.read({ processId: "p" }));
    expect(new Set([...reasons, later, await client.ended]).size).toBe(1);
    expect(later).toBeInstanceOf(ExecServerError);
    expect(later).toMatchObject({ kind: "closed", message: "exec-server transport closed" });
    expect(client.pendingRequests).toBe(0);
    expect(await next).toEqual({ done: true, value: undefined });
    await client[Symbol.asyncDispose]();
    await client[Symbol.asyncDispose]();
  });

  test("disposing ends pending and later calls the same way", async () => {
    const { client } = await connected();
    const pending = rejectionOf(client.read({ processId: "p" }));
    await client[Symbol.asyncDispose]();
    expect(await pending).toMatchObject({ kind: "closed" });
    expect(await rejectionOf(client.exec(start))).toBe(await pending);
    expect(await client.ended).toBe(await pending);
  });
});

describe("events", () => {
  test("O7, O15: one stream tells output with its stream and exits, of every process, to every subscriber", async () => {
    const { server, client } = await connected();
    await using _ = client;
    const [first, second] = [client.events(), client.events()];
    await server.output("one", "a", "stdout");
    await server.output("two", "error\n", "stderr");
    await server.output("two", "c", "pty");
    await server.exited("one", 3);
    const output = (processId: string, stream: string, text: string) => ({
      type: "output",
      processId,
      stream,
      bytes: Buffer.from(text),
      seq: undefined,
    });
    const expected = [
      output("one", "stdout", "a"),
      output("two", "stderr", "error\n"),
      output("two", "pty", "c"),
      {
        type: "exited",
        processId: "one",
        exitCode: 3,
        signal: undefined,
        sandboxDenied: undefined,
        seq: undefined,
      },
    ];
    expect(await take(first, 4)).toEqual(expected);
    expect(await take(second, 4)).toEqual(expected);
  });

  test("O19: a slow subscriber loses nothing, and holds the server back meanwhile", async () => {
    const { server, client } = await connected();
    await using _ = client;
    const events = client.events()[Symbol.asyncIterator]();
    const total = 32;
    const text = "x".repeat(512 * 1024);
    let sent = 0;
    const sending = (async () => {
      for (; sent < total; sent += 1) await server.output("p", text);
    })();
    await expectAlive(server, client);
    expect(sent).toBeLessThan(total);
    for (let n = 0; n < total; n += 1) {
      const { value } = await events.next();
      expect(value).toMatchObject({ type: "output", processId: "p" });
    }
    await sending;
    expect(sent).toBe(total);
  });

  test("a subscriber that leaves holds nobody back", async () => {
    const { server, client } = await connected();
    await using _ = client;
    const events = client.events()[Symbol.asyncIterator]();
    const sending = (async () => {
      for (let n = 0; n < 32; n += 1) await server.output("p", "x".repeat(512 * 1024));
    })();
    await events.next();
    await events.return?.();
    await within(sending, "the server to get rid of its output");
  });
});

test("a transport that is closed already is an error of kind closed", async () => {
  const [ours, theirs] = createTransportPair();
  await theirs[Symbol.asyncDispose]();
  expect(await rejectionOf(ExecServerClient.open(ours))).toMatchObject({
    kind: "closed",
    message: "exec-server transport closed",
  });
});

type Connected = Awaited<ReturnType<typeof connected>>;

/** A call is answered. */
async function expectAlive(
  server: Connected["server"],
  client: Connected["client"],
): Promise<void> {
  const call = client.terminate("whoever");
  await server.answer(await server.request("process/terminate"), { running: false });
  expect(await within(call, "an answer")).toEqual({ running: false });
}

async function take(events: AsyncIterable<ExecServerEvent>, count: number) {
  const iterator = events[Symbol.asyncIterator]();
  const taken = [];
  for (let n = 0; n < count; n += 1) taken.push((await within(iterator.next(), "an event")).value);
  return taken;
}
