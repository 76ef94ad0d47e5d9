import { ResponseItem, type TokenUsage } from "@codex/protocol";
import * as z from "zod";
import { ModelError, type ModelEvent } from "../model-client.ts";
import { failedResponse, ServerFailure } from "./server-failure.ts";

/**
 * The meaning of one server-sent event's data; undefined for events nobody needs, unknown ones, and data that is not
 * JSON. Throws a {@link ModelError} for an event that says the response failed or is incomplete, and for a finished
 * item or response without the fields it must have.
 */
export function parseModelEvent(data: string): ModelEvent | undefined {
  return modelEventOf(jsonOf(data));
}

/** The same for data that is parsed already. */
export function modelEventOf(value: unknown): ModelEvent | undefined {
  const event = Envelope.safeParse(value);
  if (event.success) {
    const { type } = event.data;
    return Object.hasOwn(readers, type) ? readers[type]?.(event.data) : undefined;
  }
  const failure = UntypedFailure.safeParse(value);
  if (failure.success) throw failedResponse(failure.data);
  return undefined;
}

const Envelope = z.looseObject({ type: z.string() });
/** What a server sends that failed before it knew what it was answering. */
const UntypedFailure = z
  .object({ error: z.union([ServerFailure, z.string()]) })
  .transform(({ error }) => (typeof error === "string" ? { ...unnamed, message: error } : error));
const Delta = z.object({ delta: z.string() });
const WithItem = z.object({ item: ResponseItem });

const count = z.number().nullish().catch(undefined);
const Usage = z.object({
  input_tokens: count,
  input_tokens_details: z
    .object({ cached_tokens: count, cache_write_tokens: count })
    .nullish()
    .catch(undefined),
  output_tokens: count,
  output_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(undefined),
  total_tokens: count,
});
const Completed = z.object({
  response: z.object({ id: z.string().nullish(), usage: Usage.nullish() }),
});
const Failed = z.object({ response: z.object({ error: ServerFailure.nullish() }) });
const Incomplete = z.object({
  response: z.object({ incomplete_details: z.object({ reason: z.string() }).nullish() }),
});
/** The failure stands in the event itself, or in a field of it. */
const ErrorEvent = z.union([
  z.object({ error: ServerFailure }).transform(({ error }) => error),
  ServerFailure,
]);

type Reader = (event: unknown) => ModelEvent | undefined;

const readers: Readonly<Record<string, Reader>> = {
  "response.created": () => ({ type: "created" }),
  "response.output_item.added": (event) => {
    // Only announces: what it lacks is in the finished item.
    const parsed = WithItem.safeParse(event);
    return parsed.success ? { type: "item.added", item: parsed.data.item } : undefined;
  },
  "response.output_item.done": (event) => {
    const { item } = required(WithItem, event, "output item");
    return { type: "item.done", item };
  },
  "response.output_text.delta": (event) => delta("text.delta", event),
  "response.reasoning_summary_text.delta": (event) => delta("reasoning.delta", event),
  "response.reasoning_text.delta": (event) => delta("reasoning.delta", event),
  "response.completed": (event) =>
    completed(required(Completed, event, "ResponseCompleted").response),
  "response.failed": (event) => {
    const parsed = Failed.safeParse(event);
    throw failedResponse((parsed.success ? parsed.data.response.error : undefined) ?? unnamed);
  },
  "response.incomplete": (event) => {
    const parsed = Incomplete.safeParse(event);
    throw incomplete(parsed.success ? parsed.data.response.incomplete_details?.reason : undefined);
  },
  error: (event) => {
    const parsed = ErrorEvent.safeParse(event);
    throw failedResponse(parsed.success ? parsed.data : unnamed);
  },
};

const unnamed: ServerFailure = { codes: [], message: undefined, param: undefined };

function delta(type: "text.delta" | "reasoning.delta", event: unknown): ModelEvent | undefined {
  const parsed = Delta.safeParse(event);
  return parsed.success ? { type, delta: parsed.data.delta } : undefined;
}

function completed(response: z.infer<typeof Completed>["response"]): ModelEvent {
  const { usage } = response;
  return {
    type: "completed",
    responseId: response.id ?? undefined,
    usage: usage == null ? undefined : tokenUsage(usage),
    totalTokens: usage?.total_tokens ?? undefined,
  };
}

function tokenUsage(usage: z.infer<typeof Usage>): TokenUsage {
  return {
    input_tokens: usage.input_tokens ?? 0,
    cached_input_tokens: usage.input_tokens_details?.cached_tokens ?? 0,
    cache_write_input_tokens: usage.input_tokens_details?.cache_write_tokens ?? 0,
    output_tokens: usage.output_tokens ?? 0,
    reasoning_output_tokens: usage.output_tokens_details?.reasoning_tokens ?? 0,
  };
}

function incomplete(reason = "unknown"): ModelError {
  const text = `Incomplete response returned, reason: ${reason}`;
  // The same request would hit the same limit again.
  if (reason === "max_output_tokens") {
    return new ModelError("incomplete", text, { isRetryable: false, phase: "stream" });
  }
  return new ModelError("incomplete", `stream disconnected before completion: ${text}`, {
    isRetryable: true,
    phase: "stream",
  });
}

function required<T>(schema: z.ZodType<T>, event: unknown, name: string): T {
  const parsed = schema.safeParse(event);
  if (parsed.success) return parsed.data;
  const reason = z.prettifyError(parsed.error).replaceAll(/\s*\n\s*/g, " ");
  throw new ModelError(
    "stream",
    `stream disconnected before completion: failed to parse ${name}: ${reason}`,
    { isRetryable: true, phase: "stream", cause: parsed.error },
  );
}

function jsonOf(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
