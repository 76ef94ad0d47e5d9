import { type ConnectionChange, FileSystemError, ProcessError } from "@codex/environment";
import type { LinkChange } from "./client.ts";
import { ExecServerError } from "./exec-server-error.ts";

/** A call over a connection that is gone, or whose peer broke the protocol: whether it took effect is unknown. */
export function isLostConnection(error: unknown): error is ExecServerError {
  return (
    error instanceof ExecServerError &&
    (error.kind === "closed" ||
      error.kind === "sessionGone" ||
      error.kind === "protocol" ||
      error.kind === "json")
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

/** What a person reads about a cut and what became of it. */
export function connectionChange(
  { state, error }: LinkChange,
  environment: string,
): ConnectionChange {
  switch (state) {
    case "lost":
      return { state, reason: `the connection to \`${environment}\` was lost${why(error)}` };
    case "resumed":
      return { state, reason: `the connection to \`${environment}\` is back, nothing was lost` };
    case "gaveUp":
      return { state, reason: lostText(error, environment) };
  }
}

/** What a person reads: which environment, what happened, and why where that is known. */
export function lostText(error: ExecServerError, environment: string): string {
  return `environment \`${environment}\` is lost: ${error.message}${why(error)}`;
}

function why({ kind, cause }: ExecServerError): string {
  const isCut = kind === "closed" || kind === "sessionGone";
  return isCut && cause instanceof Error ? ` (${cause.message})` : "";
}
