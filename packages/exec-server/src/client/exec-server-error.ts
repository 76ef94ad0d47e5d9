import { ConnectionClosedError, ProtocolError, ResponseError } from "@codex/jsonrpc";

export type ExecServerErrorKind =
  | "spawn"
  | "connectTimeout"
  | "connect"
  | "initializeTimeout"
  | "closed"
  | "json"
  | "protocol"
  | "server";

/** A client could not connect, or a call failed. Decide by `kind`; `code` and `data` are the server's. */
export class ExecServerError extends Error {
  override readonly name = "ExecServerError";
  readonly kind: ExecServerErrorKind;
  /** Of a refusal by the server. */
  readonly code: number | undefined;
  readonly data: unknown;

  constructor(
    kind: ExecServerErrorKind,
    message: string,
    options: { readonly cause?: unknown; readonly code?: number; readonly data?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.code = options.code;
    this.data = options.data;
  }
}

export function spawnFailed(cause: unknown): ExecServerError {
  return new ExecServerError("spawn", `failed to spawn exec-server: ${reasonOf(cause)}`, { cause });
}

export function connectTimedOut(url: string, timeoutMs: number): ExecServerError {
  return new ExecServerError(
    "connectTimeout",
    `timed out connecting to exec-server websocket \`${url}\` after ${duration(timeoutMs)}`,
  );
}

export function connectFailed(url: string, cause: unknown): ExecServerError {
  return new ExecServerError(
    "connect",
    `failed to connect to exec-server websocket \`${url}\`: ${reasonOf(cause)}`,
    { cause },
  );
}

export function initializeTimedOut(timeoutMs: number): ExecServerError {
  return new ExecServerError(
    "initializeTimeout",
    `timed out waiting for exec-server initialize handshake after ${duration(timeoutMs)}`,
  );
}

/** The connection is gone. `cause` is why, so that everybody who waited hears the same reason. */
export function closedError(cause: unknown): ExecServerError {
  const reason = cause === undefined ? "" : `: ${reasonOf(cause)}`;
  return new ExecServerError("closed", `exec-server transport closed${reason}`, { cause });
}

/** What a failed call of the connection is to a user of the client; reasons of an abort and our own errors stay as they are. */
export function callError(error: unknown): unknown {
  if (error instanceof ResponseError) {
    const { code, data, message } = error;
    return new ExecServerError("server", `exec-server rejected request (${code}): ${message}`, {
      code,
      data,
      cause: error,
    });
  }
  if (error instanceof ConnectionClosedError) return closedError(error.cause);
  if (error instanceof ProtocolError && error.kind === "badResult") {
    return new ExecServerError(
      "json",
      `failed to serialize or deserialize exec-server JSON: ${error.message}`,
      { cause: error },
    );
  }
  if (error instanceof ProtocolError)
    return new ExecServerError("protocol", `exec-server protocol error: ${error.message}`, {
      cause: error,
    });
  return error;
}

export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** `25ms`, `10s`, `1.5s`. */
function duration(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds}ms` : `${milliseconds / 1_000}s`;
}
