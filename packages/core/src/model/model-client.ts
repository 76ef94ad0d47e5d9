import type { ResponseItem, TokenUsage } from "@codex/protocol";

/** A tool as the model is told of it; property order is the order on the wire. */
export type ToolDefinition =
  | {
      readonly type: "function";
      readonly name: string;
      readonly description: string;
      readonly strict: false;
      readonly parameters: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: "custom";
      readonly name: string;
      readonly description: string;
      readonly format: {
        readonly type: "grammar";
        readonly syntax: "lark";
        readonly definition: string;
      };
    }
  | { readonly type: "web_search"; readonly [key: string]: unknown };

/** Everything one model request is made of. */
export interface Prompt {
  readonly threadId: string;
  readonly turnId: string;
  /** The base instructions. Where they go in the request is the client's business. */
  readonly instructions: string;
  /** The whole history; each prompt's input starts with the one before. */
  readonly input: readonly ResponseItem[];
  readonly tools: readonly ToolDefinition[];
  /** JSON Schema the final answer must have. */
  readonly outputSchema?: unknown;
}

export type ModelEvent =
  | { readonly type: "created" }
  | { readonly type: "item.added"; readonly item: ResponseItem }
  | { readonly type: "text.delta"; readonly delta: string }
  | { readonly type: "reasoning.delta"; readonly delta: string }
  | { readonly type: "item.done"; readonly item: ResponseItem }
  | {
      readonly type: "completed";
      readonly responseId: string | undefined;
      readonly usage: TokenUsage | undefined;
      /** As the server counted it, for the size of the context. */
      readonly totalTokens: number | undefined;
    };

/**
 * The model's side. `stream` makes one attempt: it yields events and returns after `completed`, or throws a
 * {@link ModelError}; it never retries and never returns without `completed`. Aborting `signal` ends the request and
 * rejects with the signal's reason; leaving the loop early ends it too.
 */
export interface ModelClient {
  stream(prompt: Prompt, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export type ModelErrorKind =
  | "missingKey"
  | "connection" // no connection, or it broke before an answer began
  | "http" // an answer with a status that is no success
  | "rateLimited"
  | "quota"
  | "contextWindow"
  | "overloaded"
  | "invalidRequest"
  | "invalidImage"
  | "stream" // the answer broke off, or was no proper answer
  | "timeout" // no headers, or no event, within the provider's idle timeout
  | "failed" // the server said `response.failed`
  | "incomplete" // the server said `response.incomplete`
  | "replay"; // a conversation file does not fit this run

/** One attempt at a response failed. `message` is for the reader and names status and address where there are any. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly kind: ModelErrorKind;
  /** Whether another attempt may help. */
  readonly isRetryable: boolean;
  /** Before the first byte of an answer, or in the middle of one: they have budgets of their own. */
  readonly phase: "request" | "stream";
  readonly status: number | undefined;
  /** The server's own wish, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: ModelErrorKind,
    message: string,
    options: {
      readonly isRetryable: boolean;
      readonly phase: "request" | "stream";
      readonly status?: number | undefined;
      readonly retryAfterMs?: number | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.isRetryable = options.isRetryable;
    this.phase = options.phase;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
  }
}
