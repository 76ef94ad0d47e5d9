import type { ErrorObject } from "@codex/protocol";

/** An error answer: thrown by a handler to send it, thrown by a request that received it. */
export class ResponseError extends Error {
  override readonly name = "ResponseError";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, options: { data?: unknown; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data;
  }

  /** As it goes over the wire: `data` only when there is some. */
  toErrorObject(): ErrorObject {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

/** The connection is gone: this call got no answer, and whether it took effect is unknown. `cause` says why it ended, if not cleanly. */
export class ConnectionClosedError extends Error {
  override readonly name = "ConnectionClosedError";

  constructor(message = "connection closed", options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
  }
}

/** No answer in time; a later answer is ignored. */
export class RequestTimeoutError extends Error {
  override readonly name = "RequestTimeoutError";
  readonly method: string;
  readonly timeoutMs: number;

  constructor(method: string, timeoutMs: number) {
    super(`no answer to ${method} within ${timeoutMs} ms`);
    this.method = method;
    this.timeoutMs = timeoutMs;
  }
}

export type TransportErrorKind =
  | "connect" // there never was a connection
  | "failed" // the connection broke
  | "silent" // the peer stopped answering pings
  | "tooLarge"; // the peer sent a message over the limit

/** What carries the messages failed. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly kind: TransportErrorKind;
  /** Status of the HTTP answer, where a server refused the upgrade. */
  readonly status: number | undefined;

  constructor(
    kind: TransportErrorKind,
    message: string,
    options: { cause?: unknown; status?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.status = options.status;
  }
}

export type ProtocolErrorKind =
  | "malformed" // no message
  | "unexpectedRequest"
  | "unexpectedNotification"
  | "unexpectedAnswer" // an answer to nothing
  | "badResult"; // an answer that does not have the promised shape

/** The peer broke the rules; the connection ends. `excerpt` quotes what it sent, where it was no message. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  readonly kind: ProtocolErrorKind;
  readonly excerpt: string | undefined;

  constructor(kind: ProtocolErrorKind, message: string, options: { excerpt?: string } = {}) {
    super(message);
    this.kind = kind;
    this.excerpt = options.excerpt;
  }
}
