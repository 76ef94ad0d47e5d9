import type { Environment } from "@codex/environment";
import type { Call, MalformedMessage, OutgoingMessage } from "@codex/jsonrpc";
import type { ErrorObject, JsonRpcNotification, JsonRpcRequest } from "@codex/protocol";
import type { Clock } from "./clock.ts";
import type { ServerLimits } from "./limits.ts";
import type { SessionRegistry } from "./session-registry.ts";

/** What a dialect works with on one connection. */
export interface DialectContext {
  /** What is served; not the dialect's to dispose. */
  readonly environment: Environment;
  readonly limits: ServerLimits;
  readonly clock: Clock;
  /** Of the whole server, for dialects whose sessions outlive a connection. */
  readonly sessions: SessionRegistry;
  /** Names what carries the connection, such as `stdio`. */
  readonly label: string;
  /** Sends to the client; see `Transport.send` for what the promise means. */
  readonly send: (message: OutgoingMessage) => Promise<void>;
}

/** One connection in one dialect. Disposing ends what belongs to the connection and wakes every call that waits. */
export interface DialectConnection extends AsyncDisposable {
  /** See `ConnectionOptions` for what these may do. */
  onRequest(request: JsonRpcRequest, call: Call): unknown;
  onNotification(notification: JsonRpcNotification): void;
  onMalformed?(message: MalformedMessage): ErrorObject | undefined;
  /** Methods that get through although too many requests are pending. */
  isUrgent(method: string): boolean;
}

/** A version of the protocol: a thin translation between its methods and the server's own calls. */
export interface ServerDialect {
  readonly name: string;
  /** Whether a client that sends these params to `initialize` speaks it. */
  accepts(initializeParams: unknown): boolean;
  open(context: DialectContext): DialectConnection;
}
