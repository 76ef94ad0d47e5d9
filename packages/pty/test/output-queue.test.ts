import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { OutputQueue, type OutputSource } from "../src/output-queue.ts";
import type { OutputChunk, OutputStream } from "../src/process.ts";

test("a waiting consumer gets the first byte at once; what piled up since comes as one chunk", async () => {
  const { queue, push } = queueWithSource();
  const output = queue[Symbol.asyncIterator]();
  const first = output.next();
  push("pty", "a");
  push("pty", "b");
  push("pty", "c");
  expect([texted(await first), texted(await output.next())]).toEqual(["pty a", "pty bc"]);
});

describe("while output flows", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test("what comes within a millisecond of the last chunk is joined; after a pause nothing waits", async () => {
    const { queue, push } = queueWithSource();
    const output = queue[Symbol.asyncIterator]();
    push("pty", "a");
    await output.next();
    const joined = output.next();
    push("pty", "b");
    push("pty", "c");
    vi.advanceTimersByTime(1);
    expect(texted(await joined)).toBe("pty bc");
    vi.advanceTimersByTime(1);
    const alone = output.next();
    push("pty", "d");
    push("pty", "e");
    expect(texted(await alone)).toBe("pty d");
  });

  test("48 KiB, and the end, wait for no time", async () => {
    const { queue, source, push } = queueWithSource();
    const output = queue[Symbol.asyncIterator]();
    push("stdout", "a");
    await output.next();
    const large = output.next();
    push("stdout", "b".repeat(40_000));
    push("stdout", "c".repeat(10_000));
    expect((await large).value.bytes).toHaveLength(50_000);
    const last = output.next();
    push("stdout", "d");
    queue.sourceEnded(source);
    expect(texted(await last)).toBe("stdout d");
    await queue.drained;
  });

  test("many tiny chunks stop the source no longer than the wait", async () => {
    const { queue, source, push } = queueWithSource();
    const output = queue[Symbol.asyncIterator]();
    push("stdout", "a");
    await output.next();
    const joined = output.next();
    const answers = Array.from({ length: 256 }, () => push("stdout", "x"));
    expect({ last: answers.at(-1), resumed: source.resumed }).toEqual({ last: false, resumed: 0 });
    vi.advanceTimersByTime(1);
    expect((await joined).value.bytes).toHaveLength(256);
    expect(source.resumed).toBe(1);
  });
});

test("chunks of two streams are never joined, and none is larger than 64 KiB", async () => {
  const { queue, source, push } = queueWithSource();
  push("stdout", "1");
  push("stderr", "2");
  push("stderr", "3");
  push("stdout", "x".repeat(65_536));
  push("stdout", "y");
  queue.sourceEnded(source);
  const seen: string[] = [];
  for await (const chunk of queue) seen.push(`${chunk.stream} ${chunk.bytes.length}`);
  expect(seen).toEqual(["stdout 1", "stderr 2", "stdout 65536", "stdout 1"]);
});

test("a full queue stops its source until there is room again", async () => {
  const { queue, source, push } = queueWithSource();
  const output = queue[Symbol.asyncIterator]();
  expect(push("stdout", "x".repeat(65_535))).toBe(true);
  expect(push("stdout", "y")).toBe(false);
  expect(source.resumed).toBe(0);
  await output.next();
  expect(source.resumed).toBe(1);
});

test("many tiny chunks are full before 64 KiB: each costs more than its bytes", () => {
  const { push } = queueWithSource();
  const answers = Array.from({ length: 256 }, () => push("stdout", "x"));
  expect(answers.indexOf(false)).toBe(255);
});

test("drained settles with the last chunk, not with the end of the sources", async () => {
  const { queue, source, push } = queueWithSource();
  let isDrained = false;
  const drained = queue.drained.then(() => (isDrained = true));
  push("stdout", "last");
  queue.sourceEnded(source);
  await Promise.resolve();
  expect(isDrained).toBe(false);
  await queue[Symbol.asyncIterator]().next();
  await drained;
});

test("leaving early drops the rest and reads the source to its end", async () => {
  const { queue, source, push } = queueWithSource();
  push("stdout", "x".repeat(65_536));
  for await (const _ of queue) {
    push("stdout", "y".repeat(65_536));
    break;
  }
  expect({ takesMore: push("stdout", "z"), destroyed: source.destroyed }).toEqual({
    takesMore: true,
    destroyed: 0,
  });
  queue.sourceEnded(source);
  await queue.drained;
});

test("destroying ends a pull that waits", async () => {
  const { queue, source } = queueWithSource();
  const pull = queue[Symbol.asyncIterator]().next();
  queue.destroy();
  expect(await pull).toEqual({ done: true, value: undefined });
  expect(source.destroyed).toBe(1);
  await queue.drained;
});

test("has one consumer", () => {
  const { queue } = queueWithSource();
  queue[Symbol.asyncIterator]();
  expect(() => queue[Symbol.asyncIterator]()).toThrow(TypeError);
});

class CountingSource implements OutputSource {
  resumed = 0;
  destroyed = 0;
  resume(): void {
    this.resumed += 1;
  }
  destroy(): void {
    this.destroyed += 1;
  }
}

function queueWithSource() {
  const queue = new OutputQueue();
  const source = new CountingSource();
  queue.addSource(source);
  const push = (stream: OutputStream, text: string): boolean =>
    queue.push(stream, Buffer.from(text));
  return { queue, source, push };
}

function texted({ value }: IteratorResult<OutputChunk>): string {
  return `${value.stream} ${Buffer.from(value.bytes).toString()}`;
}
