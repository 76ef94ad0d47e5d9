import { type ItemSink, type NewThreadItem, type Tool, type ToolOutput } from "@codex/core";

/** What was announced about items, in order. */
export type SeenItem = readonly ["started" | "updated" | "completed", NewThreadItem];

export interface ToolRun {
  /** What the model hears; an error for the model counts as that. */
  readonly output: ToolOutput["output"];
  readonly items: readonly SeenItem[];
}

/** Calls a tool as the agent does; a custom tool takes text, a function its arguments. */
export async function runTool(
  tool: Tool,
  input: unknown,
  options: { readonly signal?: AbortSignal; readonly items?: SeenItem[] } = {},
): Promise<ToolRun> {
  const { signal = new AbortController().signal, items: seen = [] } = options;
  const call = {
    name: tool.name,
    callId: "call_1",
    ...(typeof input === "string"
      ? ({ kind: "custom", input } as const)
      : ({ kind: "function", input: JSON.stringify(input) } as const)),
  };
  const context = { callId: "call_1", turnId: "turn_1", signal, items: recordItems(seen) };
  try {
    return { output: (await tool.run(call, context)).output, items: seen };
  } catch (error) {
    if (error instanceof Error && error.name === "RespondToModelError")
      return { output: error.message, items: seen };
    throw error;
  }
}

export function recordItems(seen: SeenItem[]): ItemSink {
  return {
    start(item) {
      seen.push(["started", item]);
      return {
        id: `item_${seen.length}`,
        update: (next) => void seen.push(["updated", next]),
        complete: (last) => void seen.push(["completed", last]),
      };
    },
    add: (item) => void seen.push(["completed", item]),
  };
}
