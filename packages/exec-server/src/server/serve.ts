import type { Environment } from "@codex/environment";
import { Connection, ProtocolError, settleWithin, type Transport } from "@codex/jsonrpc";
import type { JsonRpcRequest } from "@codex/protocol";
import { current } from "../dialects/current/server-dialect.ts";
import { v0 } from "../dialects/v0/server-dialect.ts";
import { type Clock, systemClock } from "./clock.ts";
import { defaultServerLimits, type ServerLimits } from "./limits.ts";
import type { DialectConnection, DialectContext, ServerDialect } from "./server-dialect.ts";
import { SessionRegistry } from "./session-registry.ts";

export interface ServeOptions {
  /** The connection; disposed when serving ends. */
  readonly transport: Transport;
  /** What the client gets: any environment, near or far. Stays the caller's. */
  readonly environment: Environment;
  readonly limits?: Partial<ServerLimits>;
  readonly clock?: Clock;
  /** Where sessions live that outlive this connection; left out, they end with it. Stays the caller's. */
  readonly sessions?: SessionRegistry;
  /** Ends serving: the processes of the connection first, then the connection. */
  readonly signal?: AbortSignal;
}

/** How a connection ended: with nothing when the client left or `signal` was aborted, otherwise with what went wrong. */
export type ServeEnd = Error | undefined;

/** How long answers under way may take once the client has stopped sending. */
const lastAnswersMs = 2_000;

/** Newest first; the last one is spoken until `initialize` has said which it is. */
const dialects: readonly ServerDialect[] = [current, v0];
const firstDialect: ServerDialect = v0;

/**
 * Serves one client until its connection ends. Requests that came before the end of its input are still answered; the
 * processes it started are ended. Settles when all of that is done; never rejects.
 */
export async function serve(options: ServeOptions): Promise<ServeEnd> {
  const limits = { ...defaultServerLimits, ...options.limits };
  const client = watchReach((message) => connection.send(message));
  const { environment, clock = systemClock } = options;
  const door = new Door({
    environment,
    limits,
    clock,
    sessions: options.sessions ?? new SessionRegistry({ environment, limits, clock, graceMs: 0 }),
    label: options.transport.label,
    send: client.send,
  });
  const connection: Connection = new Connection(options.transport, {
    onRequest: (request, call) => door.choose(request).onRequest(request, call),
    onNotification: (notification) => door.dialect.onNotification(notification),
    onMalformed: (message) => door.dialect.onMalformed?.(message),
    isUrgent: (method) => door.dialect.isUrgent(method),
    unknownAnswers: "refuse",
    maxPendingRequests: limits.maxPendingRequests,
  });
  await Promise.race([
    connection.ended,
    client.unreachable,
    abortOf(options.signal, connection.ended),
  ]);
  await Promise.all([
    door.dialect[Symbol.asyncDispose](),
    settleWithin(connection.settled(), lastAnswersMs),
  ]);
  await connection[Symbol.asyncDispose]();
  return connection.ended;
}

type Send = DialectContext["send"];

/** Notices the first message that cannot go out: the client may still write, but nobody hears what its processes say. */
function watchReach(send: Send): { readonly send: Send; readonly unreachable: Promise<void> } {
  let markUnreachable = () => {};
  const unreachable = new Promise<void>((resolve) => {
    markUnreachable = resolve;
  });
  return {
    unreachable,
    send: (message) => {
      const sent = send(message);
      sent.catch(markUnreachable);
      return sent;
    },
  };
}

/** Where a connection gets its dialect: the first `initialize` chooses. */
class Door {
  readonly #context: DialectContext;
  dialect: DialectConnection;
  #spoken = firstDialect;

  constructor(context: DialectContext) {
    this.#context = context;
    this.dialect = firstDialect.open(context);
  }

  choose(request: JsonRpcRequest): DialectConnection {
    if (request.method !== "initialize" || this.#spoken !== firstDialect) return this.dialect;
    const chosen = dialects.find((dialect) => dialect.accepts(request.params)) ?? firstDialect;
    if (chosen === firstDialect) return this.dialect;
    // Nothing can have been started before the handshake.
    void this.dialect[Symbol.asyncDispose]();
    this.#spoken = chosen;
    this.dialect = chosen.open(this.#context);
    return this.dialect;
  }
}

/** Settles when the signal is aborted; lets go of it when `until` settles. */
function abortOf(signal: AbortSignal | undefined, until: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const onAbort = () => resolve();
    signal?.addEventListener("abort", onAbort, { once: true });
    void until.then(() => signal?.removeEventListener("abort", onAbort));
  });
}

/** A line for the log about such an end: without anything the client sent. */
export function describeEnd(end: Error): string {
  return end instanceof ProtocolError ? `protocol error (${end.kind})` : end.message;
}
