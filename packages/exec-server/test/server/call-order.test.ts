import { expect, test } from "vitest";
import { CallOrder } from "../../src/server/call-order.ts";
import { turns } from "./fake-clock.ts";

/** Tasks that end when told, and a record of what began and ended. */
function createTasks() {
  const events: string[] = [];
  const finish = new Map<string, () => void>();
  const task = (name: string) => async () => {
    events.push(`${name} begins`);
    await new Promise<void>((resolve) => finish.set(name, resolve));
    events.push(`${name} ends`);
    return name;
  };
  const end = async (name: string) => {
    finish.get(name)?.();
    await turns(2);
  };
  return { events, task, end };
}

test("what only looks runs together, at most so many; the rest waits in order", async () => {
  const order = new CallOrder(2);
  const { events, task, end } = createTasks();
  const all = ["a", "b", "c"].map((name) => order.shared(task(name)));
  expect(events).toEqual(["a begins", "b begins"]);
  await end("a");
  expect(events.slice(2)).toEqual(["a ends", "c begins"]);
  await end("b");
  await end("c");
  expect(await Promise.all(all)).toEqual(["a", "b", "c"]);
});

test("a change waits for all before it and holds up all after it", async () => {
  const order = new CallOrder(10);
  const { events, task, end } = createTasks();
  const all = [
    order.shared(task("look")),
    order.exclusive(task("change")),
    order.shared(task("look again")),
    order.exclusive(task("change again")),
  ];
  expect(events).toEqual(["look begins"]);
  await end("look");
  await end("change");
  expect(events).toEqual([
    "look begins",
    "look ends",
    "change begins",
    "change ends",
    "look again begins",
  ]);
  await end("look again");
  await end("change again");
  await Promise.all(all);
  expect(events.at(-1)).toBe("change again ends");
});

test("a call that fails lets the next one run", async () => {
  const order = new CallOrder(1);
  const failing = order.exclusive(async () => {
    throw new Error("no");
  });
  const next = order.shared(async () => "next");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("next");
});
