import { FileSystemError, ProcessError } from "@codex/environment";
import { ExecServerError } from "./exec-server-error.ts";

/** A call over a connection that is gone, or whose peer broke the protocol: whether it took effect is unknown. */
export function isLostConnection(error: unknown): error is ExecServerError {
  return (
    error instanceof ExecServerError &&
    (error.kind === "closed" || error.kind === "protocol" || error.kind === "json")
  );
}

export function lostProcess(error: Error, environment?: string): ProcessError {
  return new ProcessError("lost", lostText(error, environment), {
    cause: error,
    ...(environment === undefined ? {} : { environment }),
  });
}

export function lostFile(error: Error, path: string, environment?: string): FileSystemError {
  return new FileSystemError("lost", path, lostText(error, environment), {
    cause: error,
    ...(environment === undefined ? {} : { environment }),
  });
}

function lostText(error: Error, environment: string | undefined): string {
  return environment === undefined
    ? error.message
    : `environment \`${environment}\` is lost: ${error.message}`;
}
