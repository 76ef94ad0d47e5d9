import {
  isCustomToolCall,
  isFunctionCall,
  isToolCallOutput,
  noTokens,
  ResponseItem,
  type ToolCallOutputItem,
  type TokenUsage,
} from "@codex/protocol";
import * as z from "zod";

/** What a rollout says about its thread. */
export interface RecordedThread {
  readonly id: string;
  readonly cwd: string;
  readonly model: string | undefined;
  readonly modelProvider: string | undefined;
  readonly startedAt: string;
  /** The conversation as the next request has to begin; every output that was there when the run ended is in it. */
  readonly items: readonly ResponseItem[];
  /** Over all turns. */
  readonly usage: TokenUsage;
  /** How many turns were begun. */
  readonly turns: number;
  /** First words of the person, for a list. */
  readonly firstPrompt: string | undefined;
  readonly lastMessage: string | undefined;
  /** Lines that could not be read: the last one of a run that was killed, or damage. */
  readonly invalidLines: number;
  /** False when the file ends in the middle of a line. */
  readonly endsWithNewline: boolean;
}

export class RolloutError extends Error {
  override readonly name = "RolloutError";
}

/** Reads a rollout's text. Lines end at 0x0A only; lines that are no record are passed over and counted. */
export function readRollout(text: string): RecordedThread {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) throw new RolloutError("empty session file");
  const state = new ThreadState();
  let invalidLines = 0;
  for (const line of lines) {
    const record = parseLine(line);
    if (record === undefined) invalidLines += 1;
    else state.apply(record);
  }
  return { ...state.result(), invalidLines, endsWithNewline: text.endsWith("\n") };
}

const Usage: z.ZodType<TokenUsage> = z.object({
  input_tokens: z.number(),
  cached_input_tokens: z.number(),
  cache_write_input_tokens: z.number(),
  output_tokens: z.number(),
  reasoning_output_tokens: z.number(),
});

const SessionMeta = z.object({
  id: z.string(),
  cwd: z.string(),
  timestamp: z.string().optional(),
  model: z.string().optional(),
  model_provider: z.string().optional(),
});

const Record = z.discriminatedUnion("type", [
  z.object({ type: z.literal("session_meta"), timestamp: z.string(), payload: SessionMeta }),
  z.object({ type: z.literal("response_item"), payload: ResponseItem }),
  z.object({ type: z.literal("tool_output"), payload: ResponseItem }),
  z.object({
    type: z.literal("compacted"),
    payload: z.object({ replacement_history: z.array(ResponseItem) }),
  }),
  z.object({
    type: z.literal("event_msg"),
    payload: z.looseObject({
      type: z.string(),
      thread: Usage.optional(),
      message: z.string().optional(),
      last_agent_message: z.string().nullish(),
    }),
  }),
  z.object({ type: z.literal("turn_context"), payload: z.looseObject({}) }),
]);
type Record = z.infer<typeof Record>;

function parseLine(line: string): Record | undefined {
  try {
    return Record.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

class ThreadState {
  #meta: (z.infer<typeof SessionMeta> & { readonly startedAt: string }) | undefined;
  #items: ResponseItem[] = [];
  #earlyOutputs = new Map<string, ToolCallOutputItem>();
  #usage: TokenUsage = noTokens;
  #turns = 0;
  #firstPrompt: string | undefined;
  #lastMessage: string | undefined;

  apply(record: Record): void {
    switch (record.type) {
      case "session_meta":
        this.#meta ??= {
          ...record.payload,
          startedAt: record.payload.timestamp ?? record.timestamp,
        };
        return;
      case "response_item":
        this.#items.push(record.payload);
        return;
      case "tool_output":
        if (isToolCallOutput(record.payload))
          this.#earlyOutputs.set(record.payload.call_id, record.payload);
        return;
      case "compacted":
        this.#items = [...record.payload.replacement_history];
        return;
      case "event_msg":
        this.#event(record.payload);
        return;
      case "turn_context":
        return;
    }
  }

  #event(event: Extract<Record, { type: "event_msg" }>["payload"]): void {
    if (event.thread !== undefined) this.#usage = event.thread;
    if (event.type === "task_started") this.#turns += 1;
    if (event.type === "user_message") this.#firstPrompt ??= event.message;
    if (event.type === "task_complete")
      this.#lastMessage = event.last_agent_message ?? this.#lastMessage;
  }

  result(): Omit<RecordedThread, "invalidLines" | "endsWithNewline"> {
    if (this.#meta === undefined)
      throw new RolloutError("failed to parse thread ID from rollout file");
    return {
      id: this.#meta.id,
      cwd: this.#meta.cwd,
      model: this.#meta.model,
      modelProvider: this.#meta.model_provider,
      startedAt: this.#meta.startedAt,
      items: withEarlyOutputs(this.#items, this.#earlyOutputs),
      usage: this.#usage,
      turns: this.#turns,
      firstPrompt: this.#firstPrompt,
      lastMessage: this.#lastMessage,
    };
  }
}

/** A run that was killed between a tool's end and its place in the conversation: the output goes to the end, in call order. */
function withEarlyOutputs(
  items: readonly ResponseItem[],
  early: ReadonlyMap<string, ToolCallOutputItem>,
): ResponseItem[] {
  const answered = new Set(items.filter(isToolCallOutput).map((item) => item.call_id));
  const lost = items.flatMap((item) => {
    if (!isFunctionCall(item) && !isCustomToolCall(item)) return [];
    const output = answered.has(item.call_id) ? undefined : early.get(item.call_id);
    return output === undefined ? [] : [output];
  });
  return [...items, ...lost];
}
