import type { ContentPart, ThreadItem } from "@codex/protocol";
import type { ToolDefinition } from "../model/model-client.ts";

/** One call by the model. `input` is unparsed: JSON text for a function, the plain input of a custom tool. */
export interface ToolCall {
  readonly kind: "function" | "custom";
  readonly name: string;
  readonly callId: string;
  readonly input: string;
}

/** What goes back to the model, and whether the call did what it was asked to. */
export interface ToolOutput {
  readonly output: string | readonly ContentPart[];
  readonly isSuccess: boolean;
}

type WithoutId<T> = T extends { readonly id: string } ? Omit<T, "id"> : never;
export type NewThreadItem = WithoutId<ThreadItem>;

/** An item that was started: it may be updated and is completed once; later calls do nothing. */
export interface OpenItem {
  readonly id: string;
  update(item: NewThreadItem): void;
  complete(item: NewThreadItem): void;
}

/** Where items of the thread are announced. Ids are allotted in order of first appearance. */
export interface ItemSink {
  start(item: NewThreadItem): OpenItem;
  /** An item that is complete when first heard of. */
  add(item: NewThreadItem): void;
}

export interface ToolContext {
  readonly callId: string;
  readonly turnId: string;
  /** Aborted when the turn is; a tool gives up its wait at once. */
  readonly signal: AbortSignal;
  readonly items: ItemSink;
}

/**
 * Something the model can call. `run` parses its own input, resolves with what the model shall hear, and throws
 * {@link RespondToModelError} for what is the model's own mistake; any other error ends the turn.
 */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly name: string;
  /** Parallel tools run beside each other; any other waits for all before it and holds up all after it. */
  readonly isParallel: boolean;
  run(call: ToolCall, context: ToolContext): Promise<ToolOutput>;
}

/** Text for the model instead of a result; the turn goes on. */
export class RespondToModelError extends Error {
  override readonly name = "RespondToModelError";
}
