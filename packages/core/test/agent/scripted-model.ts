import type { ResponseItem } from "@codex/protocol";
import type { ModelClient, ModelEvent, Prompt } from "../../src/index.ts";

/** One response: events in order, an error that breaks it off, or a wait that only the signal ends. */
export type ScriptedStep = ModelEvent | Error | "hang";

export interface ScriptedModel extends ModelClient {
  /** What was asked, in order. */
  readonly prompts: readonly Prompt[];
}

const usage = {
  input_tokens: 100,
  cached_input_tokens: 20,
  cache_write_input_tokens: 0,
  output_tokens: 10,
  reasoning_output_tokens: 3,
};

/** A model that gives these responses one after the other; one more question is an error of the test. */
export function scriptedModel(...responses: readonly (readonly ScriptedStep[])[]): ScriptedModel {
  const prompts: Prompt[] = [];
  return {
    prompts,
    async *stream(prompt, signal) {
      prompts.push(structuredClone(prompt));
      const steps = responses[prompts.length - 1];
      if (steps === undefined) throw new Error(`the script has no response ${prompts.length}`);
      for (const step of steps) {
        signal.throwIfAborted();
        if (step === "hang") await aborted(signal);
        else if (step instanceof Error) throw step;
        else yield step;
      }
    },
  };
}

export const completed: ModelEvent = {
  type: "completed",
  responseId: "r",
  usage,
  totalTokens: 110,
};
/** As `completed`, with what the server counted as the size of the context. */
export const completedAt = (totalTokens: number): ModelEvent => ({
  type: "completed",
  responseId: "r",
  usage,
  totalTokens,
});

export function done(item: ResponseItem): ModelEvent {
  return { type: "item.done", item };
}

export function says(text: string): ModelEvent {
  return done({
    type: "message",
    id: `msg_${text}`,
    role: "assistant",
    content: [{ type: "output_text", text }],
  });
}

export function calls(name: string, callId: string, args: unknown = {}): ModelEvent {
  return done({
    type: "function_call",
    id: `fc_${callId}`,
    call_id: callId,
    name,
    arguments: JSON.stringify(args),
  });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
  );
}
