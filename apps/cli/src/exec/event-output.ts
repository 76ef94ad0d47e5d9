import type { ThreadEvent } from "@codex/protocol";

/** Where the events of a run go: to a person or to a program. */
export interface EventOutput {
  event(event: ThreadEvent): void;
  /** After the last event, with the last message of the model. */
  finish(lastMessage: string | undefined): void;
}
