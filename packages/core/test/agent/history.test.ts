import { textMessage } from "@codex/protocol";
import { expect, test } from "vitest";
import { History, normalise } from "../../src/agent/history.ts";

test("exec-cli.md 2: items without an id get one of their kind, the server's ids are kept", () => {
  let next = 0;
  const told: unknown[] = [];
  const history = new History({
    newId: () => `n${next++}`,
    onAppend: (item) => told.push(item.id),
  });
  history.append(textMessage("user", "hi"));
  history.append({
    type: "function_call",
    id: "fc_server",
    call_id: "a",
    name: "f",
    arguments: "{}",
  });
  history.append({ type: "function_call_output", call_id: "a", output: "done" });
  history.append({ type: "something_new" });
  expect(told).toEqual(["msg_n0", "fc_server", "fco_n1", "item_n2"]);
});

test("session.md 10: a call without output is answered `aborted` right after it, an output without call is dropped", () => {
  const items = [
    textMessage("user", "go"),
    { type: "function_call", call_id: "a", name: "f", arguments: "{}" } as const,
    { type: "custom_tool_call", call_id: "b", name: "g", input: "x" } as const,
    { type: "function_call_output", call_id: "a", output: "done" } as const,
    { type: "function_call_output", call_id: "nobody", output: "?" } as const,
  ];
  expect(normalise(items)).toEqual([
    items[0],
    items[1],
    items[2],
    { type: "custom_tool_call_output", id: "ctco_b", call_id: "b", output: "aborted" },
    items[3],
  ]);
});

test("each prompt starts with the one before", () => {
  const history = new History({ newId: () => "id", onAppend: () => {} });
  history.append(textMessage("user", "one"));
  const before = history.forPrompt();
  history.append(textMessage("assistant", "two"));
  expect(history.forPrompt().slice(0, before.length)).toEqual(before);
});
