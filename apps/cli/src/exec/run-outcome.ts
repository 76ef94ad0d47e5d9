import type { ThreadEvent, TurnCompleted, TurnFailed } from "@codex/protocol";
import { exitCode, exitCodeOfFailure } from "../exit-code.ts";

/** What a run came to, gathered from its events. */
export class RunOutcome {
  readonly #failsOnToolError: boolean;
  #lastMessage: string | undefined;

  constructor(options: { readonly failsOnToolError: boolean }) {
    this.#failsOnToolError = options.failsOnToolError;
  }

  take(event: ThreadEvent): void {
    if (event.type === "item.completed" && event.item.type === "agent_message")
      this.#lastMessage = event.item.text;
  }

  /** The result of the turn: a limit keeps what there is, any other failure has none. */
  resultOf(end: TurnCompleted | TurnFailed): string | undefined {
    const keeps = end.type === "turn.completed" || end.error.kind === "limit";
    return keeps ? this.#lastMessage : undefined;
  }

  exitCodeOf(end: TurnCompleted | TurnFailed, signal: NodeJS.Signals | undefined): number {
    if (end.type === "turn.failed") return exitCodeOfFailure(end.error.kind, signal);
    const hasFailed = this.#failsOnToolError && end.tool_failures > 0;
    return hasFailed ? exitCode.toolFailed : exitCode.completed;
  }
}

/** The event that ends a turn. */
export function isTurnEnd(event: ThreadEvent): event is TurnCompleted | TurnFailed {
  return event.type === "turn.completed" || event.type === "turn.failed";
}
