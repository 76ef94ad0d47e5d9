import { expect, test } from "vitest";
import { AsyncQueue } from "../src/index.ts";

async function drain<T>(queue: AsyncQueue<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of queue) items.push(item);
  return items;
}

test("items come out in order, those pushed before the end included", async () => {
  const queue = new AsyncQueue<number>({ capacity: 10 });
  for (let item = 0; item < 1_000; item += 1) queue.push(item);
  queue.end();
  queue.push(-1);
  expect(await drain(queue)).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
});

test("a consumer that waits gets the next item, and then the end", async () => {
  const queue = new AsyncQueue<string>({ capacity: 1 });
  const first = queue.next();
  queue.push("a");
  const second = queue.next();
  queue.end();
  expect([await first, await second]).toEqual([
    { done: false, value: "a" },
    { done: true, value: undefined },
  ]);
});

test("a failure comes after what was pushed before it, once", async () => {
  const queue = new AsyncQueue<string>({ capacity: 1 });
  queue.push("a");
  queue.fail(new Error("broken"));
  expect((await queue.next()).value).toBe("a");
  await expect(queue.next()).rejects.toThrow("broken");
  expect((await queue.next()).done).toBe(true);
});

test("it is full at the capacity and has room again at half of it", async () => {
  const events: string[] = [];
  const queue = new AsyncQueue<string>({ capacity: 4, onDrain: () => events.push("drain") });
  queue.push("a", 2);
  expect(queue.isFull).toBe(false);
  queue.push("b", 2);
  queue.push("c", 2);
  expect(queue.isFull).toBe(true);
  const room = queue.room().then(() => events.push("room"));
  await queue.next();
  expect([queue.isFull, events]).toEqual([true, []]);
  await queue.next();
  await room;
  expect([queue.isFull, events]).toEqual([false, ["drain", "room"]]);
});

test("leaving the loop drops the rest and lets the producer go on", async () => {
  const queue = new AsyncQueue<number>({ capacity: 2 });
  for (const item of [1, 2, 3, 4]) queue.push(item);
  const room = queue.room();
  for await (const item of queue) if (item === 1) break;
  await room;
  queue.push(5);
  expect([queue.isEnded, await drain(queue)]).toEqual([true, []]);
});
