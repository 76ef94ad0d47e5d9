import { describe, expect, it } from "vitest";
import { HeadTailBuffer } from "../../src/unified-exec/head-tail-buffer.ts";

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

function filled(capacity: number, ...chunks: string[]) {
  const buffer = new HeadTailBuffer(capacity);
  for (const chunk of chunks) buffer.push(Buffer.from(chunk, "latin1"));
  return buffer;
}

function read(buffer: HeadTailBuffer) {
  const { head, tail, omittedBytes } = buffer.drain();
  return { head: text(head), tail: text(tail), omittedBytes };
}

describe("unified-exec.md 6: the head-tail buffer", () => {
  it.each([
    [10, ["0123456789", "ab"], { head: "01234", tail: "789ab", omittedBytes: 2 }],
    [10, ["01", "234", "567", "89"], { head: "01234", tail: "56789", omittedBytes: 0 }],
    [10, ["01", "234", "567", "89", "a"], { head: "01234", tail: "6789a", omittedBytes: 1 }],
    [10, ["0123456789", "ABCDEFGHIJK"], { head: "01234", tail: "GHIJK", omittedBytes: 11 }],
    [0, ["abc"], { head: "", tail: "", omittedBytes: 3 }],
    [1, ["abc"], { head: "", tail: "c", omittedBytes: 2 }],
    [10, ["abc", ""], { head: "abc", tail: "", omittedBytes: 0 }],
  ])("of %i bytes, after %j", (capacity, chunks, expected) => {
    expect(read(filled(capacity, ...chunks))).toEqual(expected);
  });

  it("counts what it keeps, and starts afresh when it is drained", () => {
    const buffer = filled(10, "0123456789ab");
    expect([buffer.retainedBytes, buffer.omittedBytes]).toEqual([10, 2]);
    expect(read(buffer)).toEqual({ head: "01234", tail: "789ab", omittedBytes: 2 });
    expect([buffer.retainedBytes, buffer.omittedBytes]).toEqual([0, 0]);
    expect(read(buffer)).toEqual({ head: "", tail: "", omittedBytes: 0 });
    buffer.push(Buffer.from("xyz"));
    expect(read(buffer)).toEqual({ head: "xyz", tail: "", omittedBytes: 0 });
  });

  it("copies what it is given", () => {
    const chunk = Buffer.from("abc");
    const buffer = new HeadTailBuffer(10);
    buffer.push(chunk);
    chunk.fill("x");
    expect(read(buffer).head).toBe("abc");
  });

  it("keeps the same bytes as cutting the whole stream, whatever the chunks", () => {
    const stream = Array.from({ length: 500 }, (_, index) =>
      String.fromCharCode(33 + (index % 90)),
    ).join("");
    for (const capacity of [1, 2, 7, 64, 499, 500, 501])
      for (const size of [1, 3, 8, 50, 500]) {
        const chunks = stream.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];
        const head = stream.slice(0, Math.floor(capacity / 2));
        const tail = stream.slice(head.length).slice(-(capacity - Math.floor(capacity / 2)));
        expect(read(filled(capacity, ...chunks))).toEqual({
          head,
          tail,
          omittedBytes: stream.length - head.length - tail.length,
        });
      }
  });

  it("holds a million one-byte chunks in the memory of their bytes", () => {
    const buffer = new HeadTailBuffer(1024 * 1024);
    const chunk = Buffer.from("x");
    const before = process.memoryUsage().arrayBuffers;
    for (let pushed = 0; pushed < 1_000_000; pushed += 1) buffer.push(chunk);
    expect(buffer.retainedBytes).toBe(1_000_000);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024);
  });
});
