import {
  ConnectionClosedError,
  ProtocolError,
  RequestTimeoutError,
  ResponseError,
} from "@codex/jsonrpc";

export type ExecServerErrorKind =
  | "spawn" // the server's program could not be started
  | "connectTimeout"
  | "connect"
  | "initializeTimeout"
  | "closed" // the connection is gone; `cause` says why, where that is known
  | "json" // an answer that does not have the promised shape; ends the connection
  | "protocol" // the server broke the rules, or speaks another version; ends the connection
  | "server" // the server refused this request
  | "requestTimeout" // no answer within the time this call was given
  | "sessionGone" // the connection is gone, and so is the session: the server ended it, or was started anew
  | "outcomeUnknown"; // the answer was lost with a connection that has been resumed; not sent again

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

/** The server answered the handshake with a version this client does not speak. */
export function unknownVersion(version: string): ExecServerError {
  return protocolError(new Error(`unsupported protocol version ${JSON.stringify(version)}`));
}

/** The server does not know the session that is to be resumed. */
export function sessionGone(cause?: unknown): ExecServerError {
  return new ExecServerError("sessionGone", "the server has ended the session", { cause });
}

export function serverStartedAnew(cause?: unknown): ExecServerError {
  return new ExecServerError(
    "sessionGone",
    "the server was started anew, what ran on it has ended",
    { cause },
  );
}

/** Why a cut connection was given up: `last` is what the last attempt to resume it came to. */
export function notResumed(cut: unknown, last: unknown): ExecServerError {
  const isGone = last instanceof ExecServerError && last.kind === "sessionGone";
  return new ExecServerError(
    isGone ? "sessionGone" : "closed",
    `exec-server transport closed and could not be resumed: ${reasonOf(last)}`,
    { cause: cut },
  );
}

/** A call that changes something, whose answer never came. The connection goes on. */
export function outcomeUnknown(method: string, cause: unknown): ExecServerError {
  return new ExecServerError(
    "outcomeUnknown",
    `outcome unknown: the connection was cut before the answer to ${method} came; it was not sent again`,
    { cause },
  );
}

/** Why a connection is over, for everybody who waits and everybody who comes later. */
export function endOf(cause: unknown): ExecServerError {
  if (cause instanceof ExecServerError) return cause;
  if (cause instanceof ProtocolError)
    return cause.kind === "badResult" ? badAnswer(cause) : protocolError(cause);
  return new ExecServerError("closed", "exec-server transport closed", { cause });
}

/** What ended the connection, if this failure of a call says that something did. */
export function fatalCause(error: unknown): { readonly cause: unknown } | undefined {
  if (error instanceof ConnectionClosedError) return { cause: error.cause };
  return error instanceof ProtocolError ? { cause: error } : undefined;
}

/** A failure that concerns one call; the reason of an abort stays as it is. */
export function callError(error: unknown): unknown {
  if (error instanceof RequestTimeoutError)
    return new ExecServerError("requestTimeout", error.message, { cause: error });
  if (!(error instanceof ResponseError)) return error;
  const { code, data, message } = error;
  return new ExecServerError("server", `exec-server rejected request (${code}): ${message}`, {
    code,
    data,
    cause: error,
  });
}

export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function badAnswer(cause: Error): ExecServerError {
  return new ExecServerError(
    "json",
    `failed to serialize or deserialize exec-server JSON: ${cause.message}`,
    { cause },
  );
}

function protocolError(cause: Error): ExecServerError {
  return new ExecServerError("protocol", `exec-server protocol error: ${cause.message}`, { cause });
}

/** `25ms`, `10s`, `1.5s`. */
function duration(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds}ms` : `${milliseconds / 1_000}s`;
}
