import { constants } from "node:os";
import type { TurnErrorKind } from "@codex/protocol";

/** What `codex` exits with; the whole table. After signal n it is {@link exitCodeOfSignal}. */
export const exitCode = {
  completed: 0,
  /** The model's side failed, or the agent itself. */
  turnFailed: 1,
  /** Usage, configuration, credentials, git check, missing working directory, no prompt: nothing was asked of the model. */
  notStarted: 2,
  /** `--max-turns`, `--max-tokens` or `--timeout` was reached. */
  limitReached: 3,
  /** The executor could not be reached, or was lost. */
  environmentLost: 4,
  /** The turn completed, a tool failed, and `--fail-on-tool-error` was given. */
  toolFailed: 5,
} as const;

/** 128+n, as a shell says it. */
export function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** The code of a turn that failed; `signal` is the one that interrupted it. */
export function exitCodeOfFailure(kind: TurnErrorKind, signal: NodeJS.Signals | undefined): number {
  switch (kind) {
    case "interrupted":
      return signal === undefined ? exitCode.turnFailed : exitCodeOfSignal(signal);
    case "limit":
      return exitCode.limitReached;
    case "environment":
      return exitCode.environmentLost;
    case "model":
    case "internal":
      return exitCode.turnFailed;
  }
}
