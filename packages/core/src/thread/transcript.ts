import { noTokens, type ThreadItem, type TokenUsage } from "@codex/protocol";
import * as z from "zod";
import { RecordedItem } from "./recorded-item.ts";
import { TokenCounts } from "./thread-facts.ts";

/** One turn as a person saw it. */
export interface RecordedTurn {
  /** When it began; ISO, UTC. */
  readonly startedAt: string;
  readonly prompt: string;
  /** In the order they were completed; warnings told before the turn come first. */
  readonly items: readonly ThreadItem[];
  /** `unfinished`: the run was killed, or still goes on. */
  readonly status: "completed" | "failed" | "unfinished";
  readonly error: string | undefined;
  readonly usage: TokenUsage;
}

/** The turns a rollout's text tells of. Lines of other kinds, and lines that cannot be read, are passed over. */
export function readTranscript(text: string): RecordedTurn[] {
  const turns: Draft[] = [];
  let early: ThreadItem[] = [];
  for (const line of text.split("\n")) {
    const event = parseLine(line);
    const turn = turns.at(-1);
    if (event === undefined) continue;
    if (event.payload.type === "task_started") {
      turns.push({ ...newTurn, startedAt: event.timestamp, items: early });
      early = [];
    } else if (turn === undefined || turn.status !== "unfinished") early.push(...itemsOf(event));
    else apply(turn, event);
  }
  return turns;
}

type Draft = { -readonly [Key in keyof RecordedTurn]: RecordedTurn[Key] } & { items: ThreadItem[] };

const newTurn = {
  prompt: "",
  status: "unfinished",
  error: undefined,
  usage: noTokens,
} as const;

const Event = z.object({
  timestamp: z.string(),
  type: z.literal("event_msg"),
  payload: z.discriminatedUnion("type", [
    z.object({ type: z.literal("task_started") }),
    z.object({ type: z.literal("user_message"), message: z.string() }),
    z.object({ type: z.literal("item_completed"), item: RecordedItem }),
    z.object({ type: z.literal("token_count"), turn: TokenCounts }),
    z.object({
      type: z.literal("task_complete"),
      error: z.object({ message: z.string() }).optional(),
    }),
    z.object({ type: z.literal("turn_aborted"), reason: z.string() }),
  ]),
});
type Event = z.infer<typeof Event>;

function parseLine(line: string): Event | undefined {
  try {
    return Event.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function itemsOf({ payload }: Event): ThreadItem[] {
  return payload.type === "item_completed" ? [payload.item] : [];
}

function apply(turn: Draft, { payload }: Event): void {
  switch (payload.type) {
    case "user_message":
      turn.prompt = payload.message;
      return;
    case "item_completed":
      turn.items.push(payload.item);
      return;
    case "token_count":
      turn.usage = payload.turn;
      return;
    case "task_complete":
      turn.status = payload.error === undefined ? "completed" : "failed";
      turn.error = payload.error?.message;
      return;
    case "turn_aborted":
      turn.status = "failed";
      turn.error = payload.reason;
      return;
    case "task_started":
  }
}
