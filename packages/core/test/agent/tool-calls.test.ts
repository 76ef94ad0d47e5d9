import type { FunctionCallItem } from "@codex/protocol";
import { describe, expect, test } from "vitest";
import { ToolCalls, ToolFailure } from "../../src/agent/tool-calls.ts";
import {
  RespondToModelError,
  type ItemSink,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "../../src/tools/tool.ts";

const items: ItemSink = {
  start: () => ({ id: "item_0", update: () => {}, complete: () => {} }),
  add: () => {},
};

function tool(
  name: string,
  isParallel: boolean,
  run: (context: ToolContext) => Promise<ToolOutput | string>,
): Tool {
  return {
    name,
    isParallel,
    definition: { type: "function", name, description: name, strict: false, parameters: {} },
    async run(_call, context) {
      const output = await run(context);
      return typeof output === "string" ? { output, isSuccess: true } : output;
    },
  };
}

function call(name: string, id: string): FunctionCallItem {
  return { type: "function_call", call_id: id, name, arguments: "{}" };
}

function gate(): { readonly opened: Promise<void>; open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

function setUp(tools: readonly Tool[], signal: AbortSignal = new AbortController().signal) {
  const early: string[] = [];
  const calls = new ToolCalls({
    tools: new Map(tools.map((one) => [one.name, one])),
    items,
    turnId: "turn",
    signal,
    now: () => 0,
    outputBudget: { unit: "bytes", limit: 1_000 },
    onOutput: (output) => early.push(output.call_id),
  });
  return { calls, early };
}

describe("tool calls of one response", () => {
  test("tools.md 15: parallel calls run beside each other and their outputs come in call order", async () => {
    const second = gate();
    const { calls, early } = setUp([
      tool("waits", true, async () => (await second.opened, "first")),
      tool("opens", true, async () => (second.open(), "second")),
    ]);
    calls.start(call("waits", "a"));
    calls.start(call("opens", "b"));
    expect(await calls.settle()).toEqual([
      { type: "function_call_output", call_id: "a", output: "first" },
      { type: "function_call_output", call_id: "b", output: "second" },
    ]);
    expect(early).toEqual(["b", "a"]);
  });

  test("tools.md 15: an exclusive call waits for all before it and holds up all after it", async () => {
    const order: string[] = [];
    const first = gate();
    const { calls } = setUp([
      tool("slow", true, async () => (await first.opened, order.push("slow"), "")),
      tool("alone", false, async () => (order.push("alone"), "")),
      tool("late", true, async () => (order.push("late"), "")),
    ]);
    calls.start(call("slow", "a"));
    calls.start(call("alone", "b"));
    calls.start(call("late", "c"));
    await Promise.resolve();
    expect(order).toEqual([]);
    first.open();
    await calls.settle();
    expect(order).toEqual(["slow", "alone", "late"]);
  });

  test("tools.md 4: unknown tools, the wrong kind of call and the model's mistakes are answered", async () => {
    const { calls } = setUp([
      tool("refuses", true, () => Promise.reject(new RespondToModelError("cmd must not be empty"))),
    ]);
    calls.start(call("nothing", "a"));
    calls.start({ type: "custom_tool_call", call_id: "b", name: "nothing", input: "" });
    calls.start({ type: "custom_tool_call", call_id: "c", name: "refuses", input: "" });
    calls.start(call("refuses", "d"));
    calls.start({ ...call("refuses", "e"), namespace: "mcp__t" });
    expect((await calls.settle()).map((output) => [output.type, output.output])).toEqual([
      ["function_call_output", "unsupported call: nothing"],
      ["custom_tool_call_output", "unsupported custom tool call: nothing"],
      ["custom_tool_call_output", "aborted"],
      ["function_call_output", "cmd must not be empty"],
      ["function_call_output", "unsupported call: refuses"],
    ]);
  });

  test("an error that is not the model's ends the turn after the other outputs are in", async () => {
    const { calls } = setUp([
      tool("breaks", true, () => Promise.reject(new Error("disk on fire"))),
      tool("works", true, async () => "fine"),
    ]);
    calls.start(call("breaks", "a"));
    calls.start(call("works", "b"));
    const failure = await calls.settle().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ToolFailure);
    expect(failure).toMatchObject({
      cause: { message: "disk on fire" },
      outputs: [{ call_id: "b", output: "fine" }],
    });
  });

  test("tools.md 4: an abort answers at once for a tool that does not listen", async () => {
    const abort = new AbortController();
    const started = gate();
    const { calls } = setUp(
      [tool("deaf", true, () => (started.open(), new Promise(() => {})))],
      abort.signal,
    );
    calls.start(call("deaf", "a"));
    await started.opened;
    abort.abort();
    expect(await calls.settle()).toEqual([
      { type: "function_call_output", call_id: "a", output: "aborted by user after 0.1s" },
    ]);
  });
});
