import {
  isMessage,
  type MessageItem,
  messageText,
  type ResponseItem,
  textMessage,
} from "@codex/protocol";
import { setTimeout as delay } from "node:timers/promises";
import { ModelError } from "../model/model-client.ts";
import { addUsage, promptInput, type Session } from "./session.ts";

/** 4 bytes of text count as a token wherever the server has not counted. */
const bytesPerToken = 4;
/** Of the window; what is left is for the answer and the next outputs. */
const compactionShare = 0.9;
/** Of the person's own words, newest first, that survive a summary. */
const keptUserTokens = 20_000;

const request =
  "The conversation is about to outgrow your context window. Write a summary from which you can go on without it: " +
  "the task and what the user asked for, what was done and found, which files matter and how they were changed, what " +
  "is decided, and what is left to do next. Only the summary; do not call tools.";
const preamble =
  "The conversation before this point was summarised to fit the context window. What was done is done; go on from here. Summary:";

/** True when the next request could be too large for the model. */
export function needsCompaction(session: Session): boolean {
  const { config, modelInfo, history, usage } = session;
  const window = config.modelContextWindow ?? modelInfo.contextWindow;
  const limit = Math.min(
    config.modelAutoCompactTokenLimit ?? Infinity,
    Math.floor(window * compactionShare),
  );
  return usage.contextTokens + addedTokens(history.items) >= limit;
}

/**
 * Has the model summarise the conversation, and begins a new history: the first context, the person's own words, the
 * summary. Whatever does not fit any more is left out oldest first.
 */
export async function compact(
  session: Session,
  turnId: string,
  signal: AbortSignal,
): Promise<void> {
  const summary = await summarise(session, turnId, signal);
  const users = keptUserMessages(session.history.items, session.context);
  const replacement = [
    ...session.context,
    ...users,
    textMessage("user", `${preamble}\n${summary}`),
  ];
  session.history.replace(replacement);
  session.rollout.write("compacted", {
    message: summary,
    replacement_history: session.history.items,
  });
  session.usage.forgetContext();
}

async function summarise(session: Session, turnId: string, signal: AbortSignal): Promise<string> {
  const retries = session.newRetryBudget();
  let input: ResponseItem[] = [...promptInput(session), textMessage("user", request)];
  for (;;) {
    try {
      return await askOnce(session, { turnId, input, signal });
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      if (error.kind === "contextWindow" && input.length > 1) {
        input = input.slice(1);
        continue;
      }
      const retry = retries.next(error);
      if (retry === undefined) throw error;
      session.emit({ type: "error", message: retry.message });
      await delay(retry.delayMs, undefined, { signal });
    }
  }
}

interface Question {
  readonly turnId: string;
  readonly input: readonly ResponseItem[];
  readonly signal: AbortSignal;
}

async function askOnce(session: Session, { turnId, input, signal }: Question): Promise<string> {
  const { threadId, instructions } = session;
  let summary = "";
  for await (const event of session.model.stream(
    { threadId, turnId, instructions, input, tools: [] },
    signal,
  )) {
    if (event.type === "item.done" && isMessage(event.item)) summary = messageText(event.item);
    if (event.type === "completed" && event.usage !== undefined)
      addUsage(session, event.usage, event.totalTokens);
  }
  return summary || "(no summary available)";
}

/** The newest words of the person within the budget, in their order; the one at the border is cut. */
function keptUserMessages(
  items: readonly ResponseItem[],
  context: readonly ResponseItem[],
): ResponseItem[] {
  const known = new Set(context);
  const kept: ResponseItem[] = [];
  let left = keptUserTokens * bytesPerToken;
  for (const item of items.toReversed()) {
    if (left <= 0) break;
    if (known.has(item) || !isMessage(item) || !isFromPerson(item)) continue;
    const text = messageText(item);
    kept.unshift(
      Buffer.byteLength(text) <= left ? item : textMessage("user", textStart(text, left)),
    );
    left -= Buffer.byteLength(text);
  }
  return kept;
}

function isFromPerson(item: MessageItem): boolean {
  const text = messageText(item);
  return item.role === "user" && !text.startsWith(preamble) && !text.startsWith("<turn_aborted>");
}

/** At most `bytes` from the start of a text, no character cut. */
function textStart(text: string, bytes: number): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
}

/** What came after the model's last answer, which the server has not counted yet. */
function addedTokens(items: readonly ResponseItem[]): number {
  let bytes = 0;
  for (const item of items.toReversed()) {
    if (
      item.type !== "function_call_output" &&
      item.type !== "custom_tool_call_output" &&
      !(isMessage(item) && item.role === "user")
    )
      break;
    bytes += Buffer.byteLength(JSON.stringify(item));
  }
  return Math.ceil(bytes / bytesPerToken);
}
