import { FileSystemError, ProcessError } from "@codex/environment";
import { ExecServerError } from "./exec-server-error.ts";

/** A call over a connection that is gone, or whose peer broke the protocol: whether it took effect is unknown. */
export function isLostConnection(error: unknown): error is ExecServerError {
  return (
    error instanceof ExecServerError &&
    (error.kind === "closed" || error.kind === "protocol" || error.kind === "json")
  );
}

export function lostProcess(error: ExecServerError, environment: string): ProcessError {
  return new ProcessError("lost", lostText(error, environment), { cause: error, environment });
}

/** Without an environment's name the text is the reason alone. */
export function lostFile(
  error: ExecServerError,
  path: string,
  environment?: string,
): FileSystemError {
  if (environment === undefined)
    return new FileSystemError("lost", path, error.message, { cause: error });
  return new FileSystemError("lost", path, lostText(error, environment), {
    cause: error,
    environment,
  });
}

/** What a person reads: which environment, what happened, and why where that is known. */
export function lostText(error: ExecServerError, environment: string): string {
  const why =
    error.kind === "closed" && error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return `environment \`${environment}\` is lost: ${error.message}${why}`;
}
