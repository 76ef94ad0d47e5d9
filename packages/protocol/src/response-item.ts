import * as z from "zod";

/** One part of a message or of a tool output. */
export type ContentPart =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "output_text"; readonly text: string }
  | { readonly type: "input_image"; readonly image_url: string; readonly detail?: string };

const ItemBase = z.looseObject({ type: z.string(), id: z.string().optional() });

const Message = z.looseObject({
  type: z.literal("message"),
  id: z.string().optional(),
  role: z.string(),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
});

const Reasoning = z.looseObject({
  type: z.literal("reasoning"),
  id: z.string().optional(),
  summary: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).default([]),
});

const FunctionCall = z.looseObject({
  type: z.literal("function_call"),
  id: z.string().optional(),
  call_id: z.string(),
  name: z.string(),
  namespace: z.string().optional(),
  arguments: z.string(),
});

const CustomToolCall = z.looseObject({
  type: z.literal("custom_tool_call"),
  id: z.string().optional(),
  call_id: z.string(),
  name: z.string(),
  input: z.string(),
});

const ToolCallOutput = z.looseObject({
  type: z.enum(["function_call_output", "custom_tool_call_output"]),
  id: z.string().optional(),
  call_id: z.string(),
  output: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
});

const WebSearchCall = z.looseObject({
  type: z.literal("web_search_call"),
  id: z.string().optional(),
  status: z.string().optional(),
  action: z.looseObject({ type: z.string().optional(), query: z.string().optional() }).optional(),
});

export type MessageItem = z.infer<typeof Message>;
export type ReasoningItem = z.infer<typeof Reasoning>;
export type FunctionCallItem = z.infer<typeof FunctionCall>;
export type CustomToolCallItem = z.infer<typeof CustomToolCall>;
export type ToolCallOutputItem = z.infer<typeof ToolCallOutput>;
export type WebSearchCallItem = z.infer<typeof WebSearchCall>;
/** An item of a kind we do not know: kept in the history and sent back untouched. */
export type OtherItem = z.infer<typeof ItemBase>;

/**
 * One item of a conversation as the Responses API spells it: sent as `input`, received as `output_item`, written
 * to the rollout. Unknown fields and unknown kinds are kept, since the history must go back as it came.
 */
export type ResponseItem =
  | MessageItem
  | ReasoningItem
  | FunctionCallItem
  | CustomToolCallItem
  | ToolCallOutputItem
  | WebSearchCallItem
  | OtherItem;

const known: Record<string, z.ZodType<ResponseItem>> = {
  message: Message,
  reasoning: Reasoning,
  function_call: FunctionCall,
  custom_tool_call: CustomToolCall,
  function_call_output: ToolCallOutput,
  custom_tool_call_output: ToolCallOutput,
  web_search_call: WebSearchCall,
};

/** The door for items: a known kind must have its fields, an unknown kind only a `type`. */
export const ResponseItem: z.ZodType<ResponseItem> = ItemBase.transform((item, context) => {
  const schema = Object.hasOwn(known, item.type) ? known[item.type] : undefined;
  if (schema === undefined) return item;
  const parsed = schema.safeParse(item);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues)
    context.addIssue({ code: "custom", message: issue.message, path: issue.path });
  return z.NEVER;
});

export function isMessage(item: ResponseItem): item is MessageItem {
  return item.type === "message";
}
export function isReasoning(item: ResponseItem): item is ReasoningItem {
  return item.type === "reasoning";
}
export function isFunctionCall(item: ResponseItem): item is FunctionCallItem {
  return item.type === "function_call";
}
export function isCustomToolCall(item: ResponseItem): item is CustomToolCallItem {
  return item.type === "custom_tool_call";
}
export function isToolCallOutput(item: ResponseItem): item is ToolCallOutputItem {
  return item.type === "function_call_output" || item.type === "custom_tool_call_output";
}
export function isWebSearchCall(item: ResponseItem): item is WebSearchCallItem {
  return item.type === "web_search_call";
}

/** A message of one text part, spelled for its role. */
export function textMessage(
  role: "user" | "developer" | "assistant",
  ...texts: readonly string[]
): MessageItem {
  const type = role === "assistant" ? "output_text" : "input_text";
  return { type: "message", role, content: texts.map((text) => ({ type, text })) };
}

/** All text of a message, parts joined. */
export function messageText(item: MessageItem): string {
  return item.content.map((part) => part.text ?? "").join("");
}
