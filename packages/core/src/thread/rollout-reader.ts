import {
  isCustomToolCall,
  isFunctionCall,
  isToolCallOutput,
  ResponseItem,
  type ToolCallOutputItem,
} from "@codex/protocol";
import * as z from "zod";
import { FactGatherer, FactRecord, type ThreadFacts } from "./thread-facts.ts";

/** A thread as its rollout tells it. */
export interface RecordedThread extends ThreadFacts {
  /** The conversation so far, in its order. */
  readonly items: readonly ResponseItem[];
  /**
   * Outputs for calls of `items` that have none, in call order: the run was killed before it gave them their place.
   * What had been recorded of them, or the word that nothing is known. They belong after `items`.
   */
  readonly lostOutputs: readonly ToolCallOutputItem[];
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
  const facts = new FactGatherer();
  const conversation = new Conversation();
  let invalidLines = 0;
  for (const line of lines) {
    const record = parseLine(line);
    if (record === undefined) invalidLines += 1;
    else if (isConversation(record)) conversation.apply(record);
    else facts.apply(record);
  }
  const known = facts.facts();
  if (known === undefined) throw new RolloutError("failed to parse thread ID from rollout file");
  const { items } = conversation;
  const lostOutputs = conversation.lostOutputs();
  return { ...known, items, lostOutputs, invalidLines, endsWithNewline: text.endsWith("\n") };
}

const ConversationRecord = z.discriminatedUnion("type", [
  z.object({ type: z.literal("response_item"), payload: ResponseItem }),
  z.object({ type: z.literal("tool_output"), payload: ResponseItem }),
  z.object({
    type: z.literal("compacted"),
    payload: z.object({ replacement_history: z.array(ResponseItem) }),
  }),
]);
type ConversationRecord = z.infer<typeof ConversationRecord>;

const Record = z.discriminatedUnion("type", [ConversationRecord, FactRecord]);
type Record = z.infer<typeof Record>;

function parseLine(line: string): Record | undefined {
  try {
    return Record.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function isConversation(record: Record): record is ConversationRecord {
  return ["response_item", "tool_output", "compacted"].includes(record.type);
}

class Conversation {
  items: ResponseItem[] = [];
  readonly #earlyOutputs = new Map<string, ToolCallOutputItem>();

  apply(record: ConversationRecord): void {
    switch (record.type) {
      case "response_item":
        this.items.push(record.payload);
        return;
      case "tool_output":
        if (isToolCallOutput(record.payload))
          this.#earlyOutputs.set(record.payload.call_id, record.payload);
        return;
      case "compacted":
        this.items = [...record.payload.replacement_history];
    }
  }

  lostOutputs(): ToolCallOutputItem[] {
    const answered = new Set(this.items.filter(isToolCallOutput).map((item) => item.call_id));
    return this.items.flatMap((item) => {
      if (!isFunctionCall(item) && !isCustomToolCall(item)) return [];
      if (answered.has(item.call_id)) return [];
      return [this.#earlyOutputs.get(item.call_id) ?? unknownOutput(item)];
    });
  }
}

/** The call may have run, so it must not look as if it had not. */
function unknownOutput(call: ResponseItem & { readonly call_id: string }): ToolCallOutputItem {
  return {
    type: call.type === "custom_tool_call" ? "custom_tool_call_output" : "function_call_output",
    call_id: call.call_id,
    output:
      "aborted: the run was ended before this call was answered. It may have done all or part of its work; " +
      "check the state of things before you repeat it.",
  };
}
