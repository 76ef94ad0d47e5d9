import { ConfigError, EnvironmentError, ModelError } from "@codex/core";
import { FileSystemError, ProcessError } from "@codex/environment";
import { exitCode } from "../exit-code.ts";
import { StartError } from "../start-error.ts";

export interface StartFailure {
  /** For stderr. */
  readonly message: string;
  readonly exitCode: number;
}

/** What a run that never started tells a person, and the code it ends with. */
export function startFailure(error: unknown): StartFailure {
  if (error instanceof StartError) return { message: error.message, exitCode: error.exitCode };
  if (error instanceof ConfigError || error instanceof ModelError) {
    return { message: error.message, exitCode: exitCode.notStarted };
  }
  if (error instanceof EnvironmentError)
    return { message: error.message, exitCode: exitCode.environmentLost };
  if (error instanceof FileSystemError || error instanceof ProcessError) {
    const place = error.environment === undefined ? "" : `${error.environment}: `;
    return { message: `${place}${error.message}`, exitCode: exitCode.environmentLost };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { message: `internal error: ${message}`, exitCode: exitCode.turnFailed };
}
