import type { ThreadEvent } from "@codex/protocol";
import { expect, test } from "vitest";
import { ThreadItems } from "../../src/agent/thread-items.ts";
import type { NewThreadItem } from "../../src/tools/tool.ts";

function command(status: "in_progress" | "completed"): NewThreadItem {
  return {
    type: "command_execution",
    command: "true",
    aggregated_output: "",
    exit_code: status === "completed" ? 0 : null,
    status,
  };
}

test("exec-cli.md 3: ids count from 0 in order of first appearance, and an item is completed once", () => {
  const events: ThreadEvent[] = [];
  const items = new ThreadItems((event) => events.push(event));
  const first = items.start(command("in_progress"));
  items.add({ type: "agent_message", text: "hi" });
  first.complete(command("completed"));
  first.complete(command("completed"));
  first.update(command("in_progress"));
  expect(events.map((event) => ("item" in event ? [event.type, event.item.id] : []))).toEqual([
    ["item.started", "item_0"],
    ["item.completed", "item_1"],
    ["item.completed", "item_0"],
  ]);
});

test("an item nobody has completed is completed at the end of the turn: what was in progress has failed", () => {
  const events: ThreadEvent[] = [];
  const items = new ThreadItems((event) => events.push(event));
  items.start(command("in_progress"));
  const plan = items.start({ type: "todo_list", items: [{ text: "A", completed: false }] });
  plan.update({ type: "todo_list", items: [{ text: "A", completed: true }] });
  items.completeOpen();
  items.completeOpen();
  expect(events.slice(3)).toEqual([
    {
      type: "item.completed",
      item: { id: "item_0", ...command("in_progress"), status: "failed" },
    },
    {
      type: "item.completed",
      item: { id: "item_1", type: "todo_list", items: [{ text: "A", completed: true }] },
    },
  ]);
});
