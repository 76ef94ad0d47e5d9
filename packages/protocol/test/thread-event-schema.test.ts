import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";
import { noTokens, parseThreadEvent, type ThreadEvent, type ThreadItem } from "../src/index.ts";

const file = new URL("../schema/json/thread-event.json", import.meta.url);
const generated = z.fromJSONSchema(
  JSON.parse(readFileSync(file, "utf8")) as z.core.JSONSchema.JSONSchema,
);

/** One item of every type, with every field it can have. */
const items: {
  readonly [Type in ThreadItem["type"]]: Extract<ThreadItem, { readonly type: Type }>;
} = {
  agent_message: { id: "item_0", type: "agent_message", text: "Done." },
  reasoning: { id: "item_1", type: "reasoning", text: "First.\nThen." },
  command_execution: {
    id: "item_2",
    type: "command_execution",
    command: "/bin/bash -lc ls",
    aggregated_output: "a\n",
    exit_code: null,
    status: "in_progress",
    environment: "box",
  },
  file_change: {
    id: "item_3",
    type: "file_change",
    changes: [{ path: "/w/a", kind: "update" }],
    status: "completed",
    environment: "box",
  },
  todo_list: { id: "item_4", type: "todo_list", items: [{ text: "look", completed: false }] },
  mcp_tool_call: {
    id: "item_5",
    type: "mcp_tool_call",
    server: "s",
    tool: "t",
    arguments: { a: 1 },
    result: { content: [], structured_content: null },
    error: { message: "no" },
    status: "failed",
  },
  web_search: {
    id: "item_6",
    type: "web_search",
    query: "q",
    action: { type: "search", query: "q" },
  },
  collab_tool_call: {
    id: "item_7",
    type: "collab_tool_call",
    tool: "t",
    sender_thread_id: "a",
    receiver_thread_ids: ["b"],
    prompt: null,
    agents_states: {},
    status: "completed",
  },
  error: { id: "item_8", type: "error", message: "a warning" },
};

const usages = { usage: noTokens, turn_usage: noTokens };
const events: readonly ThreadEvent[] = [
  { type: "thread.started", thread_id: "t", schema_version: 1, environment: "box" },
  { type: "turn.started" },
  ...Object.values(items).map((item) => ({ type: "item.completed", item }) as const),
  { type: "error", message: "again" },
  { type: "environment.lost", environment: "box", message: "gone" },
  { type: "turn.completed", ...usages, tool_failures: 0, exit_code: 0 },
  { type: "turn.failed", ...usages, error: { kind: "limit", message: "enough" }, exit_code: 3 },
];

test.each(events.map((event) => [event.type, event] as const))(
  "a line of an event comes out whole, and fits the generated schema: %s",
  (_type, event) => {
    expect(parseThreadEvent(JSON.stringify(event))).toEqual(event);
    expect(generated.safeParse(event).success).toBe(true);
  },
);

test.each([
  "no JSON",
  "[]",
  '{"type":"turn.paused"}',
  '{"type":"item.completed","item":{"id":"item_0","type":"poem"}}',
  '{"type":"turn.completed"}',
])("%s is no event", (line) => {
  expect(parseThreadEvent(line)).toBeUndefined();
});

test("fields that are not known do not make an event unknown", () => {
  const line = '{"type":"turn.started","since":"2030"}';
  expect(parseThreadEvent(line)).toEqual({ type: "turn.started" });
});
