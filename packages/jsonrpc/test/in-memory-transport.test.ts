import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import { execServerV0 } from "@codex/protocol";
import { expect, test } from "vitest";
import { Connection, createTransportPair } from "../src/index.ts";

const { processTerminate: sample } = execServerV0.requests;

/** Two connections that keep asking and answering each other until `isEnough`; how many answers there were. */
async function askUntil(isEnough: () => boolean, size = 1): Promise<number> {
  const [near, far] = createTransportPair();
  await using _answering = new Connection(far, { onRequest: () => ({ running: true }) });
  await using asking = new Connection(near);
  let answers = 0;
  while (!isEnough() && answers < 10_000) {
    await asking.request(sample, { processId: "p".repeat(size) });
    answers += 1;
  }
  return answers;
}

test.each([
  ["small", 1, 64],
  ["large", 600_000, 2],
])("a loop of %s calls in one process lets the event loop turn", async (_name, size, atMost) => {
  let hasTurned = false;
  void nextEventLoopTurn().then(() => (hasTurned = true));
  expect(await askUntil(() => hasTurned, size)).toBeLessThanOrEqual(atMost);
});

test("a message that waits for the event loop is not lost when the reader's side ends", async () => {
  const [near, far] = createTransportPair();
  const sent = Array.from({ length: 200 }, (_, index) => ({ method: `${index}` }));
  for (const message of sent) await near.send(message);
  await near[Symbol.asyncDispose]();
  const received = [];
  for await (const message of far.messages) received.push(message);
  expect(received).toEqual(sent);
  await far[Symbol.asyncDispose]();
});
