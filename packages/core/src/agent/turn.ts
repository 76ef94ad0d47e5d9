import { textMessage, type TurnFailed } from "@codex/protocol";
import { ModelError } from "../model/model-client.ts";
import { newThreadId } from "../thread/thread-id.ts";
import { reachedLimit, type TurnLimits } from "./budget.ts";
import { compact, needsCompaction } from "./compaction.ts";
import { refusedImage, withoutImages } from "./image-note.ts";
import { sample, type Sampling } from "./sample.ts";
import { type Session, turnSettings } from "./session.ts";
import { LimitReached, turnFailure } from "./turn-failure.ts";
import { type TurnInput, unreadable, userMessage } from "./turn-input.ts";

export interface TurnOptions {
  readonly signal: AbortSignal;
  readonly limits: TurnLimits;
  readonly outputSchema?: unknown;
  /** Awaited before each request, so that a slow reader of the events holds the turn back. */
  readonly drained: () => Promise<void>;
}

/**
 * One turn: the input is recorded, the model is asked, its tools are run, and so on until it answers without a
 * call. Everything that happens is an event; the last one is `turn.completed` or `turn.failed`. Never throws.
 */
export async function runTurn(
  session: Session,
  input: TurnInput,
  options: TurnOptions,
): Promise<void> {
  const turnId = newThreadId(session.now());
  session.usage.startTurn();
  session.rollout.write("event_msg", { type: "task_started", turn_id: turnId });
  session.rollout.write("turn_context", { turn_id: turnId, ...turnSettings(session) });
  session.emit({ type: "turn.started" });
  try {
    takeInput(session, input);
    const lastMessage = await converse(session, turnId, options);
    session.completeOpenItems();
    session.rollout.write("event_msg", {
      type: "task_complete",
      turn_id: turnId,
      last_agent_message: lastMessage ?? null,
    });
    session.emit({
      type: "turn.completed",
      usage: session.usage.thread,
      turn_usage: session.usage.turn,
      tool_failures: session.usage.toolFailures,
    });
  } catch (error) {
    endInFailure(session, turnId, error, options.signal);
  }
}

function takeInput(session: Session, input: TurnInput): void {
  const { text, images = [] } = typeof input === "string" ? { text: input } : input;
  session.rollout.write("event_msg", { type: "user_message", message: text });
  for (const image of images) {
    if ("problem" in image) session.items.add({ type: "error", message: unreadable(image) });
  }
  session.history.append(userMessage(input, session.modelInfo.imageDetail));
}

async function converse(
  session: Session,
  turnId: string,
  options: TurnOptions,
): Promise<string | undefined> {
  let requests = 0;
  for (;;) {
    const limit = reachedLimit(options.limits, { requests, usage: session.usage.turn });
    if (limit !== undefined) throw new LimitReached(limit);
    await options.drained();
    options.signal.throwIfAborted();
    if (needsCompaction(session)) await compact(session, turnId, options.signal);
    const { needsFollowUp, lastMessage } = await sampleOrDropImages(session, turnId, options);
    requests += 1;
    if (!needsFollowUp) return lastMessage;
  }
}

/** An image the server will not take would fail every later request too: it is replaced by a note, once. */
async function sampleOrDropImages(
  session: Session,
  turnId: string,
  options: TurnOptions,
): Promise<Sampling> {
  const request = { turnId, outputSchema: options.outputSchema, signal: options.signal };
  try {
    return await sample(session, request);
  } catch (error) {
    const changed =
      error instanceof ModelError && error.kind === "invalidImage"
        ? withoutImages(session.history.items, refusedImage)
        : undefined;
    if (changed === undefined) throw error;
    session.history.replace(changed);
    session.rollout.write("compacted", { message: "", replacement_history: changed });
    session.items.add({
      type: "error",
      message: "The model's server refused an image; it was replaced by a note.",
    });
    return await sample(session, request);
  }
}

function endInFailure(session: Session, turnId: string, error: unknown, signal: AbortSignal): void {
  const failure = turnFailure(error, signal);
  session.completeOpenItems();
  if (signal.aborted) {
    session.history.append(textMessage("user", turnAbortedText));
    session.rollout.write("event_msg", {
      type: "turn_aborted",
      turn_id: turnId,
      reason: failure.kind,
    });
  } else {
    session.rollout.write("event_msg", {
      type: "task_complete",
      turn_id: turnId,
      last_agent_message: null,
      error: failure,
    });
  }
  session.emit({ type: "error", message: failure.message });
  const event: TurnFailed = {
    type: "turn.failed",
    error: failure,
    usage: session.usage.thread,
    turn_usage: session.usage.turn,
  };
  session.emit(event);
}

const turnAbortedText = `<turn_aborted>
The turn was interrupted on purpose. Tools that were running may have done part of their work; check the state of things before trying again.
</turn_aborted>`;
