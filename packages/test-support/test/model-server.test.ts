import { expect, test } from "vitest";
import { type Scenario, startModelServer } from "../src/index.ts";

async function ask(baseUrl: string, body: unknown): Promise<Response> {
  return fetch(`${baseUrl}/responses`, { method: "POST", body: JSON.stringify(body) });
}

function eventsOf(stream: string): { type: string; item?: { type: string } }[] {
  return stream
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice("data: ".length)));
}

test("a turn is streamed as added, text, done, completed", async () => {
  await using server = await startModelServer([[{ message: "hi {{who}}" }]], { who: "you" });
  const answer = await ask(server.baseUrl, { input: [] });
  const events = eventsOf(await answer.text());
  expect(events.map((event) => event.type)).toEqual([
    "response.created",
    "response.output_item.added",
    "response.output_text.delta",
    "response.output_item.done",
    "response.completed",
  ]);
  expect(events[2]).toMatchObject({ delta: "hi you" });
  expect(server.requests.map((request) => request.body)).toEqual([{ input: [] }]);
});

test("values captured from a request fill the answer, numbers inside broken JSON too", async () => {
  const scenario: Scenario = {
    turns: [[{ function_call: { name: "write_stdin", arguments: '{"session_id": {{id}}}' } }]],
    capture: { id: "session ID (\\d+)" },
  };
  await using server = await startModelServer(scenario);
  const answer = await ask(server.baseUrl, { input: "with session ID 7, with session ID 42" });
  expect(eventsOf(await answer.text())[2]).toMatchObject({
    item: { name: "write_stdin", arguments: '{"session_id": 42}' },
  });
});

test.each([
  { then: "last", statuses: [429, 200, 200] },
  { then: "loop", statuses: [429, 200, 429] },
  { then: "error", statuses: [429, 200, 500] },
] as const)("past the last turn, `then: $then` decides", async ({ then, statuses }) => {
  await using server = await startModelServer({
    turns: [[{ status: 429 }], [{ message: "ok" }]],
    then,
  });
  const seen: number[] = [];
  for (const _ of statuses) seen.push((await ask(server.baseUrl, {})).status);
  expect(seen).toEqual(statuses);
});

test("a closed socket is a broken answer, and disposing ends a stream that hangs", async () => {
  const server = await startModelServer([[{ close: true }], [{ message: "x" }, { hang: true }]]);
  await expect(ask(server.baseUrl, {})).rejects.toThrow();
  const hanging = await ask(server.baseUrl, {});
  const { body } = await server.request(1);
  await server[Symbol.asyncDispose]();
  expect(body).toEqual({});
  await expect(hanging.text()).rejects.toThrow();
});
