import { startModelServer } from "@codex/test-support";
import { expect, test } from "vitest";
import { createReplayClient } from "../../src/model/replay-client.ts";
import { recordConversation } from "../../src/model/recording.ts";
import { attempt, clientFor, testPrompt } from "./test-provider.ts";

const prompt = testPrompt({
  input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "My secret." }] }],
});

test("what was recorded over HTTP is played back event for event", async () => {
  await using server = await startModelServer([
    [
      { reasoning: "Hm." },
      { function_call: { name: "list_dir", arguments: { dir_path: "/\u2028" } } },
    ],
    [
      { custom_tool_call: { name: "apply_patch", input: "*** Begin Patch" } },
      { message: "Grüße." },
    ],
  ]);
  await using client = clientFor(server.baseUrl);
  const lines: string[] = [];
  const recorder = recordConversation(client, { write: (line) => void lines.push(line) });
  const live = [await attempt(recorder, { prompt }), await attempt(recorder, { prompt })];
  expect(lines).toHaveLength(2);
  expect(lines.join("")).not.toContain("secret");

  const replay = createReplayClient({ text: lines.join(""), file: "talk.jsonl" });
  expect([await attempt(replay), await attempt(replay)]).toEqual(live);
});

test("an attempt that failed leaves no line and fails as it did", async () => {
  await using server = await startModelServer([[{ message: "partial" }, { end: true }]]);
  await using client = clientFor(server.baseUrl);
  const lines: string[] = [];
  const recorder = recordConversation(client, { write: (line) => void lines.push(line) });
  expect((await attempt(recorder)).error).toMatchObject({ kind: "stream" });
  expect(lines).toEqual([]);
});

test("requests are kept when asked for, and do not disturb a replay", async () => {
  const source = createReplayClient({ text: '{"v":1,"events":[]}', file: "f" });
  const lines: string[] = [];
  const options = { keepRequests: true, write: (line: string) => void lines.push(line) };
  await attempt(recordConversation(source, options), { prompt });
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      v: 1,
      request: { input: prompt.input },
      events: [{ type: "response.completed", response: { id: "resp_0" } }],
    },
  ]);
  const replay = createReplayClient({ text: lines.join(""), file: "f" });
  expect((await attempt(replay)).error).toBeUndefined();
});

test("a line is written before the run hears that the response is complete", async () => {
  const source = createReplayClient({ text: '{"v":1,"events":[{"message":"a"}]}', file: "f" });
  const order: string[] = [];
  const recorder = recordConversation(source, {
    async write() {
      await new Promise((resolve) => setImmediate(resolve));
      order.push("written");
    },
  });
  for await (const { type } of recorder.stream(prompt, new AbortController().signal))
    order.push(type);
  expect(order).toEqual(["item.added", "text.delta", "item.done", "written", "completed"]);
});
