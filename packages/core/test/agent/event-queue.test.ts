import { expect, test } from "vitest";
import { EventQueue } from "../../src/agent/event-queue.ts";

test("gives everything in order, then ends", async () => {
  const queue = new EventQueue<number>(() => {});
  queue.push(1);
  const seen: number[] = [];
  const reader = (async () => {
    for await (const value of queue) seen.push(value);
  })();
  queue.push(2);
  await Promise.resolve();
  queue.push(3);
  queue.end();
  await reader;
  expect(seen).toEqual([1, 2, 3]);
});

test("what was pushed before a failure is given before the loop throws", async () => {
  const queue = new EventQueue<number>(() => {});
  queue.push(1);
  queue.fail(new Error("gone"));
  const seen: number[] = [];
  const reading = (async () => {
    for await (const value of queue) seen.push(value);
  })();
  await expect(reading).rejects.toThrow("gone");
  expect(seen).toEqual([1]);
});

test("a reader that leaves early is reported and frees waiting producers", async () => {
  let abandoned = 0;
  const queue = new EventQueue<number>(() => (abandoned += 1));
  for (const value of [1, 2, 3]) queue.push(value);
  const drained = queue.drained(0);
  for await (const value of queue) {
    expect(value).toBe(1);
    break;
  }
  await drained;
  expect(abandoned).toBe(1);
});

test("a producer waits until the reader has caught up to its limit", async () => {
  const queue = new EventQueue<number>(() => {});
  for (const value of [1, 2, 3]) queue.push(value);
  let isDrained = false;
  const drained = queue.drained(1).then(() => (isDrained = true));
  const reader = queue[Symbol.asyncIterator]();
  await reader.next();
  expect(isDrained).toBe(false);
  await reader.next();
  await drained;
  await reader.return();
  expect(isDrained).toBe(true);
});
