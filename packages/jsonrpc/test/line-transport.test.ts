import { expect, test } from "vitest";
import {
  createLineTransport,
  type IncomingMessage,
  type LineTransportOptions,
  TransportError,
} from "../src/index.ts";
import { createRandom } from "./random.ts";
import { createSocketPair } from "./socket-pair.ts";

/** What a line transport makes of these bytes, until its messages end or throw. */
async function receive(
  input: string | Buffer,
  options: Partial<LineTransportOptions> = {},
): Promise<{ messages: IncomingMessage[]; error: unknown }> {
  const [raw, socket] = await createSocketPair();
  await using transport = createLineTransport({
    readable: socket,
    writable: socket,
    label: "peer",
    ...options,
  });
  raw.on("error", () => undefined);
  raw.end(input);
  const messages: IncomingMessage[] = [];
  let error: unknown;
  try {
    for await (const message of transport.messages) messages.push(message);
  } catch (thrown) {
    error = thrown;
  }
  raw.destroy();
  return { messages, error };
}

test("seed N6: blank lines and line ends with a carriage return are taken", async () => {
  const { messages } = await receive('\n  \n\r\n{"method":"a"}\r\n\t\n{"method":"b"}');
  expect(messages).toEqual([{ method: "a" }, { method: "b" }]);
});

test.each([
  ["not-json", "not JSON"],
  ["42", "not a JSON-RPC message"],
  ['{"foo":1}', "not a JSON-RPC message"],
  ['[{"id":1,"method":"m"}]', "not a JSON-RPC message"],
  ['{"id":9007199254740993,"method":"m"}', "not a JSON-RPC message"],
])("%s is malformed, and quoted; the next line is read", async (line, malformed) => {
  const { messages } = await receive(`${line}\n{"method":"next"}\n`);
  expect(messages).toEqual([{ malformed, excerpt: line }, { method: "next" }]);
});

test("a line that is not UTF-8 is malformed", async () => {
  const line = Buffer.concat([
    Buffer.from('{"method":"'),
    Buffer.from([0xff]),
    Buffer.from('"}\n'),
  ]);
  const { messages } = await receive(line);
  expect(messages).toEqual([{ malformed: "not UTF-8", excerpt: '{"method":"\ufffd"}' }]);
});

test("a line over the limit ends the messages as too large, with or without its end", async () => {
  for (const end of ["\n", ""]) {
    const { messages, error } = await receive(`{"method":"a"}\n${"x".repeat(2_000)}${end}`, {
      maxMessageBytes: 1_000,
    });
    expect(messages).toEqual([{ method: "a" }]);
    expect(error).toMatchObject({ kind: "tooLarge", name: "TransportError" });
    expect(error).toBeInstanceOf(TransportError);
  }
});

test("a greeting before the first message passes by, up to its bound", async () => {
  const seen: string[] = [];
  const options = { bannerBytes: 40, onBanner: (line: string) => seen.push(line) };
  const { messages } = await receive('Welcome!\n\nLast login\n{"method":"a"}\nnoise\n', options);
  expect(seen).toEqual(["Welcome!", "Last login"]);
  expect(messages).toEqual([{ method: "a" }, { malformed: "not JSON", excerpt: "noise" }]);
});

test("a greeting that never ends is malformed and quoted from its start", async () => {
  const { messages } = await receive("bash: no such program\nsorry about that, really\n", {
    bannerBytes: 30,
  });
  expect(messages).toEqual([
    { malformed: "not JSON", excerpt: "bash: no such program\nsorry about that, really\n" },
  ]);
});

test("a peer that only greets and leaves is malformed too", async () => {
  const { messages } = await receive("no such host\n", { bannerBytes: 1_000 });
  expect(messages).toEqual([{ malformed: "ended without a message", excerpt: "no such host\n" }]);
});

test("a peer that cannot be written to any more fails the send, not the process", async () => {
  const [raw, socket] = await createSocketPair();
  await using transport = createLineTransport({
    readable: socket,
    writable: socket,
    label: "peer",
  });
  raw.resetAndDestroy();
  await expect(
    (async () => {
      for (;;) {
        await transport.send({ method: "a", params: "x".repeat(10_000) });
        await new Promise((resolve) => setImmediate(resolve));
      }
    })(),
  ).rejects.toMatchObject({ name: "ConnectionClosedError" });
});

test.each([11, 12, 13, 14, 15, 16])(
  "a stream of damaged frames never throws, and every undamaged one comes through (seed %i)",
  async (seed) => {
    const random = createRandom(seed);
    const good: IncomingMessage[] = [];
    const lines = Array.from({ length: 300 }, (_, index) => {
      const message = { id: index, method: "m", params: { text: "ü".repeat(random() * 50) } };
      const line = Buffer.from(JSON.stringify(message));
      if (random() < 0.5) {
        good.push(message);
        return line;
      }
      return damage(line, random);
    });
    const input = Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));
    const { messages, error } = await receive(input);
    expect(error).toBeUndefined();
    const wellFormed = new Set(messages.map((message) => JSON.stringify(message)));
    expect(good.filter((message) => !wellFormed.has(JSON.stringify(message)))).toEqual([]);
  },
);

function damage(line: Buffer, random: () => number): Buffer {
  const at = Math.floor(random() * line.length);
  const kind = Math.floor(random() * 4);
  if (kind === 0) return line.subarray(0, at);
  if (kind === 1) return Buffer.concat([line.subarray(0, at), line.subarray(at + 1)]);
  const noise = Buffer.from(Array.from({ length: 8 }, () => Math.floor(random() * 256)));
  if (kind === 2) return Buffer.concat([line.subarray(0, at), noise, line.subarray(at)]);
  return noise;
}
