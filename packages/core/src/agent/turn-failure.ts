import { FileSystemError, ProcessError } from "@codex/environment";
import type { TurnErrorKind } from "@codex/protocol";
import { ModelError } from "../model/model-client.ts";
import { ToolFailure } from "./tool-calls.ts";

/** A limit given for the run was reached: a clean stop, with what was done so far kept. */
export class LimitReached extends Error {
  override readonly name = "LimitReached";
}

/** The run's time is over; used as the reason of the turn's signal. */
export class TurnTimeout extends LimitReached {
  constructor(timeoutMs: number) {
    super(`stopped after ${timeoutMs / 1000} s (the limit of the run)`);
  }
}

/** A signal or the caller ended the turn; `signal` is the signal's name when it was one. */
export class TurnInterrupted extends Error {
  override readonly name = "TurnInterrupted";
  readonly signal: string | undefined;

  constructor(signal?: string) {
    super(signal === undefined ? "turn interrupted" : `turn interrupted by ${signal}`);
    this.signal = signal;
  }
}

export interface TurnFailure {
  readonly kind: TurnErrorKind;
  readonly message: string;
}

/** What ended a turn, for `turn.failed`. The reason of an aborted signal wins over the errors it caused. */
export function turnFailure(error: unknown, signal: AbortSignal): TurnFailure {
  const cause = unwrapped(error);
  if (signal.aborted) {
    const reason: unknown = signal.reason;
    if (reason instanceof LimitReached) return { kind: "limit", message: reason.message };
    return {
      kind: "interrupted",
      message: reason instanceof TurnInterrupted ? reason.message : "turn interrupted",
    };
  }
  if (cause instanceof LimitReached) return { kind: "limit", message: cause.message };
  if (cause instanceof ModelError) return { kind: "model", message: cause.message };
  if (isLost(cause)) return { kind: "environment", message: cause.message };
  return { kind: "internal", message: cause instanceof Error ? cause.message : String(cause) };
}

/** The executor is gone: nothing more can be done there. */
export function isLost(error: unknown): error is ProcessError | FileSystemError {
  return (
    (error instanceof ProcessError || error instanceof FileSystemError) && error.kind === "lost"
  );
}

function unwrapped(error: unknown): unknown {
  return error instanceof ToolFailure ? error.cause : error;
}
