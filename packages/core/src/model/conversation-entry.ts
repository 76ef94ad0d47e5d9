import * as z from "zod";

export type WireEvent = Readonly<Record<string, unknown>>;

const FunctionCall = z.strictObject({
  name: z.string(),
  arguments: z
    .unknown()
    .transform((value) => (typeof value === "string" ? value : JSON.stringify(value ?? {}))),
  call_id: z.string().optional(),
});
const CustomToolCall = z.strictObject({
  name: z.string(),
  input: z.string(),
  call_id: z.string().optional(),
});

/** One element of an exchange's `events`: an event of the Responses API, or a short form of one. */
export const Entry = z.union(
  [
    z.looseObject({ type: z.string() }),
    z.strictObject({ message: z.string() }),
    z.strictObject({ reasoning: z.string() }),
    z.strictObject({ function_call: FunctionCall }),
    z.strictObject({ custom_tool_call: CustomToolCall }),
    z.strictObject({ usage: z.record(z.string(), z.unknown()) }),
  ],
  {
    error:
      "expected an event with a `type`, or message, reasoning, function_call, custom_tool_call or usage alone",
  },
);
export type Entry = z.infer<typeof Entry>;

const closing = new Set(["response.completed", "response.failed", "response.incomplete", "error"]);

/**
 * The events of one exchange, short forms written out; `number` makes the ids they need. Without an event that ends the
 * response, `response.completed` comes last, with the counts of `usage` if there are any.
 */
export function expandEntries(entries: readonly Entry[], number: number): readonly WireEvent[] {
  const events: WireEvent[] = [];
  let usage: WireEvent | undefined;
  for (const [index, entry] of entries.entries()) {
    if ("usage" in entry && !("type" in entry)) usage = entry.usage as WireEvent;
    else events.push(...eventsOf(entry, `${number}_${index}`));
  }
  if (!events.some(({ type }) => closing.has(String(type)))) {
    events.push({
      type: "response.completed",
      response: { id: `resp_${number}`, ...(usage && { usage }) },
    });
  }
  return events;
}

function eventsOf(entry: Entry, id: string): readonly WireEvent[] {
  if ("type" in entry) return [entry];
  if ("message" in entry) {
    const item = { type: "message", id: `msg_${id}`, role: "assistant" };
    const content = [{ type: "output_text", text: entry.message, annotations: [] }];
    return [
      { type: "response.output_item.added", item: { ...item, content: [] } },
      { type: "response.output_text.delta", item_id: item.id, delta: entry.message },
      done({ ...item, content }),
    ];
  }
  if ("reasoning" in entry) {
    return [
      done({
        type: "reasoning",
        id: `rs_${id}`,
        summary: [{ type: "summary_text", text: entry.reasoning }],
      }),
    ];
  }
  if ("function_call" in entry) {
    return [
      done({
        type: "function_call",
        id: `fc_${id}`,
        call_id: `call_${id}`,
        ...entry.function_call,
      }),
    ];
  }
  if ("custom_tool_call" in entry) {
    return [
      done({
        type: "custom_tool_call",
        id: `ctc_${id}`,
        call_id: `call_${id}`,
        ...entry.custom_tool_call,
      }),
    ];
  }
  return [];
}

function done(item: WireEvent): WireEvent {
  return { type: "response.output_item.done", item };
}
