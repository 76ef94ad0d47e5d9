import type { ScenarioItem } from "./scenario.ts";

/** A server-sent event of the Responses API. */
export interface WireEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** An output item of the Responses API. */
export interface WireItem {
  readonly type: string;
  readonly id: string;
  readonly [key: string]: unknown;
}

/** What a response used when the scenario does not say otherwise. */
export const scriptedUsage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 20 },
  output_tokens: 10,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 110,
};

/** One server-sent event as bytes on the wire. */
export function encodeEvent(event: WireEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** The output item a scenario item stands for; undefined when it is an instruction, not an item. `key` makes its ids. */
export function outputItem(item: ScenarioItem, key: string): WireItem | undefined {
  if ("message" in item) {
    const content = [{ type: "output_text", text: item.message, annotations: [] }];
    return { type: "message", id: `msg_${key}`, role: "assistant", status: "completed", content };
  }
  if ("function_call" in item) {
    const { arguments: given = {}, ...call } = item.function_call;
    return {
      type: "function_call",
      id: `fc_${key}`,
      status: "completed",
      call_id: `call_${key}`,
      ...call,
      arguments: typeof given === "string" ? given : JSON.stringify(given),
    };
  }
  if ("custom_tool_call" in item) {
    const call = item.custom_tool_call;
    return {
      type: "custom_tool_call",
      id: `ctc_${key}`,
      status: "completed",
      call_id: `call_${key}`,
      ...call,
    };
  }
  if ("reasoning" in item) {
    const summary = item.reasoning === "" ? [] : [{ type: "summary_text", text: item.reasoning }];
    return { type: "reasoning", id: `rs_${key}`, summary, encrypted_content: null };
  }
  return undefined;
}

/** The events that stream one finished item: added, its text, done. */
export function itemEvents(item: WireItem, outputIndex: number): WireEvent[] {
  const at = { output_index: outputIndex, item_id: item.id };
  if (item.type !== "message") {
    return [
      { type: "response.output_item.added", ...at, item },
      { type: "response.output_item.done", ...at, item },
    ];
  }
  const parts = item["content"] as readonly { readonly text: string }[];
  const opened = { ...item, content: [], status: "in_progress" };
  return [
    { type: "response.output_item.added", ...at, item: opened },
    ...parts.map((part, index) => ({
      type: "response.output_text.delta",
      ...at,
      content_index: index,
      delta: part.text,
    })),
    { type: "response.output_item.done", ...at, item },
  ];
}

/** The response object of a lifecycle event such as `response.completed`. */
export function lifecycleEvent(
  type: "created" | "completed" | "failed" | "incomplete",
  n: number,
  rest: Readonly<Record<string, unknown>>,
): WireEvent {
  const status = type === "created" ? "in_progress" : type;
  const response = { id: `resp_${n}`, object: "response", created_at: 0, model: "scripted" };
  return { type: `response.${type}`, response: { ...response, status, ...rest } };
}
