import { expect, test } from "vitest";
import { OutputLog } from "../../src/server/output-log.ts";

const roomy = { retainedBytes: 1_000, retainedChunks: 1_000 };

function logOf(texts: readonly string[], limits = roomy): OutputLog {
  const log = new OutputLog(limits);
  for (const text of texts) log.append({ stream: "stdout", bytes: Buffer.from(text) });
  return log;
}

function read(log: OutputLog, afterSeq = 0, maxBytes = Number.POSITIVE_INFINITY) {
  const { records, isCut, nextOutputSeq, nextSeq } = log.read(afterSeq, maxBytes);
  const chunks = records.map(({ seq, bytes }) => [seq, Buffer.from(bytes).toString()]);
  return { chunks, isCut, nextOutputSeq, nextSeq };
}

test("chunks are numbered from 1 and read after a number", () => {
  const log = logOf(["a", "b", "c"]);
  expect(read(log)).toEqual({
    chunks: [
      [1, "a"],
      [2, "b"],
      [3, "c"],
    ],
    isCut: false,
    nextOutputSeq: 4,
    nextSeq: 4,
  });
  expect(read(log, 2).chunks).toEqual([[3, "c"]]);
  expect(read(log, 99).chunks).toEqual([]);
});

test.each([
  [0, 1],
  [1, 1],
  [3, 1],
  [4, 1],
  [6, 2],
  [7, 2],
  [100, 3],
])("seed L8: a limit of %i bytes gives %i chunks of three bytes", (maxBytes, count) => {
  const page = read(logOf(["abc", "def", "ghi"]), 0, maxBytes);
  expect([page.chunks.length, page.isCut]).toEqual([count, count < 3]);
});

test("seed L6: the newest bytes are retained, whole oldest chunks dropped", () => {
  const log = logOf(["aaaa", "bbbb", "cccc", "d"], { retainedBytes: 9, retainedChunks: 100 });
  expect(read(log).chunks).toEqual([
    [2, "bbbb"],
    [3, "cccc"],
    [4, "d"],
  ]);
  log.append({ stream: "stdout", bytes: Buffer.from("larger than all") });
  expect(read(log)).toMatchObject({ chunks: [], nextOutputSeq: 6 });
});

test("the number of chunks is bounded too, over a long life", () => {
  const log = logOf([], { retainedBytes: 1_000_000, retainedChunks: 3 });
  for (let index = 1; index <= 10_000; index += 1)
    log.append({ stream: "pty", bytes: Buffer.from(`${index}`) });
  expect(read(log).chunks).toEqual([
    [9_998, "9998"],
    [9_999, "9999"],
    [10_000, "10000"],
  ]);
});

test("exit and close are numbered too; v0's next number counts only output", () => {
  const log = logOf(["a"]);
  expect(log.markExited({ code: 3 })).toBe(2);
  expect(read(log)).toMatchObject({ nextOutputSeq: 2, nextSeq: 3 });
  log.append({ stream: "stdout", bytes: Buffer.from("late") });
  expect(log.markClosed()).toBe(4);
  expect(read(log, 1)).toEqual({
    chunks: [[3, "late"]],
    isCut: false,
    nextOutputSeq: 4,
    nextSeq: 5,
  });
  expect(log.read(0, 0)).toMatchObject({ exited: { code: 3, seq: 2 }, closedSeq: 4 });
});

test("a small view of a large buffer is copied, so that the buffer can go", () => {
  const large = Buffer.alloc(65_536, "x");
  const { bytes } = new OutputLog(roomy).append({ stream: "stdout", bytes: large.subarray(0, 5) });
  expect([bytes.byteLength, bytes.buffer.byteLength]).toEqual([5, 5]);
});

test("news comes with each append, exit, close and wake, once", async () => {
  const log = logOf([]);
  const causes = [
    () => log.append({ stream: "stdout", bytes: Buffer.from("a") }),
    () => log.markExited({ code: 0 }),
    () => log.markClosed(),
    () => log.wake(),
  ];
  for (const cause of causes) {
    const news = log.news();
    cause();
    await news;
    expect(await Promise.race([log.news(), Promise.resolve("nothing new")])).toBe("nothing new");
  }
});
