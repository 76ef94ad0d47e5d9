import { noTokens, type TokenUsage } from "@codex/protocol";
import * as z from "zod";

/** What a rollout says about its thread besides the conversation. */
export interface ThreadFacts {
  readonly id: string;
  /** Where the thread began, in the environment's own spelling. */
  readonly cwd: string;
  /** The folder its last turn was started for on this machine; filters and lists go by it. */
  readonly workdir: string;
  /** Name of the environment of its last turn. */
  readonly environment: string;
  /** Model of its last turn. */
  readonly model: string | undefined;
  readonly modelProvider: string | undefined;
  readonly startedAt: string;
  /** Over all turns. */
  readonly usage: TokenUsage;
  /** How many turns were begun. */
  readonly turns: number;
  /** First words of the person, for a list. */
  readonly firstPrompt: string | undefined;
  readonly lastMessage: string | undefined;
}

/** Token counts in a record. */
export const TokenCounts: z.ZodType<TokenUsage> = z.object({
  input_tokens: z.number(),
  cached_input_tokens: z.number(),
  cache_write_input_tokens: z.number(),
  output_tokens: z.number(),
  reasoning_output_tokens: z.number(),
});

const Settings = z.object({
  cwd: z.string().optional(),
  workdir: z.string().optional(),
  environment: z.string().optional(),
  model: z.string().optional(),
  model_provider: z.string().optional(),
});
type Settings = z.infer<typeof Settings>;

/** The lines facts come from, as they were written by us or by the original. */
export const FactRecord = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("session_meta"),
    timestamp: z.string(),
    payload: Settings.extend({
      id: z.string(),
      cwd: z.string(),
      timestamp: z.string().optional(),
    }),
  }),
  z.object({ type: z.literal("turn_context"), payload: Settings }),
  z.object({
    type: z.literal("event_msg"),
    payload: z.looseObject({
      type: z.string(),
      thread: TokenCounts.optional(),
      message: z.string().optional(),
      last_agent_message: z.string().nullish(),
    }),
  }),
]);
export type FactRecord = z.infer<typeof FactRecord>;

/** Gathers the facts from the lines in their order. */
export class FactGatherer {
  #meta: Extract<FactRecord, { type: "session_meta" }> | undefined;
  #settings: Settings = {};
  #usage: TokenUsage = noTokens;
  #turns = 0;
  #firstPrompt: string | undefined;
  #lastMessage: string | undefined;

  apply(record: FactRecord): void {
    if (record.type === "session_meta") this.#meta ??= record;
    else if (record.type === "turn_context")
      this.#settings = { ...this.#settings, ...record.payload };
    else this.#event(record.payload);
  }

  #event(event: Extract<FactRecord, { type: "event_msg" }>["payload"]): void {
    if (event.thread !== undefined) this.#usage = event.thread;
    if (event.type === "task_started") this.#turns += 1;
    if (event.type === "user_message") this.#firstPrompt ??= event.message;
    if (event.type === "task_complete")
      this.#lastMessage = event.last_agent_message ?? this.#lastMessage;
  }

  /** Undefined when no line named the thread. */
  facts(): ThreadFacts | undefined {
    if (this.#meta === undefined) return undefined;
    const { payload, timestamp } = this.#meta;
    const settings = this.#settings;
    return {
      id: payload.id,
      cwd: payload.cwd,
      workdir: settings.workdir ?? settings.cwd ?? payload.workdir ?? payload.cwd,
      environment: settings.environment ?? payload.environment ?? "local",
      model: settings.model ?? payload.model,
      modelProvider: settings.model_provider ?? payload.model_provider,
      startedAt: payload.timestamp ?? timestamp,
      usage: this.#usage,
      turns: this.#turns,
      firstPrompt: this.#firstPrompt,
      lastMessage: this.#lastMessage,
    };
  }
}
