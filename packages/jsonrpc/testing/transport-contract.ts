import type { JsonRpcMessage } from "@codex/protocol";
import { describe, expect, test } from "vitest";
import {
  ConnectionClosedError,
  type IncomingMessage,
  type OutgoingMessage,
  type Transport,
} from "@codex/jsonrpc";

/** Two connected transports; disposing also frees what carried them. */
export interface TransportPair extends AsyncDisposable {
  readonly left: Transport;
  readonly right: Transport;
}

/** What every `Transport` promises, checked over real pairs of one kind. */
export function describeTransport(name: string, createPair: () => Promise<TransportPair>): void {
  describe(`transport contract: ${name}`, () => {
    test("messages arrive in order, in both directions, as they were sent", async () => {
      await using pair = await createPair();
      const { left, right } = pair;
      for (const message of samples) await left.send(message);
      for (const message of samples) await right.send(message);
      expect(await take(right, samples.length)).toEqual(samples);
      expect(await take(left, samples.length)).toEqual(samples);
    });

    test("spliced bytes arrive as the base64 field of an ordinary message, at every size", async () => {
      await using pair = await createPair();
      const sizes = [0, 1, 2, 3, 65_536, 98_304, 98_305, 3_000_001];
      const sent = Promise.all(sizes.map((size) => pair.left.send(spliced(size, "püt"))));
      const received = await take(pair.right, sizes.length);
      await sent;
      for (const [index, size] of sizes.entries())
        expect(received[index] as unknown, `${size} bytes`).toEqual({
          method: "püt",
          params: { bytes: Buffer.alloc(size, 7).toString("base64") },
        });
    });

    test("a small message sent behind a large one stays behind it", async () => {
      await using pair = await createPair();
      const sent = Promise.all([
        pair.left.send({ method: "a" }),
        pair.left.send(spliced(2_000_000, "b")),
        pair.left.send({ method: "c" }),
        pair.left.send(spliced(2_000_000, "d")),
        pair.left.send({ method: "e" }),
      ]);
      const received = await take(pair.right, 5);
      await sent;
      expect(received.map((message) => "method" in message && message.method)).toEqual([
        "a",
        "b",
        "c",
        "d",
        "e",
      ]);
    });

    test("a sender waits while nobody reads, and nothing is lost when somebody does", async () => {
      await using pair = await createPair();
      let sent = 0;
      const total = 500;
      const sending = (async () => {
        while (sent < total) {
          await pair.left.send(spliced(65_536, `${sent}`));
          sent += 1;
        }
      })();
      const stuckAt = await untilStill(() => sent);
      // What fits between the two: both windows and the system's own buffers.
      expect(stuckAt).toBeLessThan(300);
      const received = await take(pair.right, total);
      await sending;
      expect(received.map((message) => "method" in message && Number(message.method))).toEqual(
        Array.from({ length: total }, (_, index) => index),
      );
    });

    test("disposing hands over what was sent, then the peer's messages end", async () => {
      await using pair = await createPair();
      for (let index = 0; index < 100; index += 1)
        void pair.left.send({ method: `${index}`, params: "x".repeat(1_000) });
      const all = collect(pair.right);
      await pair.left[Symbol.asyncDispose]();
      expect((await all).length).toBe(100);
    });

    test("its own messages end when it is disposed, also while somebody waits for one", async () => {
      await using pair = await createPair();
      const all = collect(pair.left);
      await pair.left[Symbol.asyncDispose]();
      await pair.left[Symbol.asyncDispose]();
      expect(await all).toEqual([]);
    });

    test("sends reject as closed after disposing, and soon after the peer is gone", async () => {
      await using pair = await createPair();
      await pair.left[Symbol.asyncDispose]();
      await expect(pair.left.send({ method: "late" })).rejects.toThrow(ConnectionClosedError);
      expect(await collect(pair.right)).toEqual([]);
      await expect(sendUntilRejected(pair.right)).rejects.toThrow(ConnectionClosedError);
    });

    test("a sender that waits is released when the peer goes", async () => {
      await using pair = await createPair();
      let sent = 0;
      const sending = (async () => {
        for (;;) {
          await pair.left.send(spliced(65_536, "x"));
          sent += 1;
        }
      })();
      const rejected = expect(sending).rejects.toThrow(ConnectionClosedError);
      await untilStill(() => sent);
      await pair.right[Symbol.asyncDispose]();
      await rejected;
    });

    test("pending bytes fall to nothing once the peer has read", async () => {
      await using pair = await createPair();
      const sent = pair.left.send(spliced(8_000_000, "x"));
      expect((await take(pair.right, 1)).length).toBe(1);
      await sent;
      await expect.poll(() => pair.left.pendingBytes).toBe(0);
    });
  });
}

const samples: JsonRpcMessage[] = [
  { id: 1, method: "m", params: { text: 'ünï 🙂 \u2028 \\ " \n', list: [null, 1.5, true, {}] } },
  { id: "text", method: "m" },
  { method: "note", params: [] },
  { id: 0, result: null },
  { id: -1, result: { deep: [[[["x"]]]] } },
  { id: 2, error: { code: -32600, message: "no", data: { kind: "k" } } },
];

function spliced(size: number, method: string): OutgoingMessage {
  return {
    prefix: `{"method":${JSON.stringify(method)},"params":{"bytes":"`,
    bytes: Buffer.alloc(size, 7),
    suffix: '"}}',
  };
}

/** The next `count` messages, without closing the transport. */
async function take(transport: Transport, count: number): Promise<IncomingMessage[]> {
  const iterator = transport.messages[Symbol.asyncIterator]();
  const taken: IncomingMessage[] = [];
  while (taken.length < count) {
    const next = await iterator.next();
    if (next.done === true) throw new Error(`ended after ${taken.length} of ${count} messages`);
    taken.push(next.value);
  }
  return taken;
}

async function collect(transport: Transport): Promise<IncomingMessage[]> {
  const all: IncomingMessage[] = [];
  for await (const message of transport.messages) all.push(message);
  return all;
}

/** Waits until a count has not moved for ten turns of the loop with a pause in each. */
async function untilStill(count: () => number): Promise<number> {
  let last = -1;
  for (let still = 0; still < 10; still = count() === last ? still + 1 : 0) {
    last = count();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return last;
}

async function sendUntilRejected(transport: Transport): Promise<never> {
  for (;;) {
    await transport.send({ method: "late", params: "x".repeat(10_000) });
    await new Promise((resolve) => setImmediate(resolve));
  }
}
