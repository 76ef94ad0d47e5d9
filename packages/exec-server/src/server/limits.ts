import { defaultMaxMessageBytes } from "@codex/jsonrpc";

/** What one server takes on; every number has a flag of the binary. */
export interface ServerLimits {
  /** Largest message taken from a client; the connection ends over it. */
  readonly maxMessageBytes: number;
  /** Requests of one connection that are not answered yet; one more is refused. Terminating is not. */
  readonly maxPendingRequests: number;
  /** Processes of one connection that have not ended; one more is refused. */
  readonly maxProcesses: number;
  /** Websockets at once; one more gets 503. */
  readonly maxConnections: number;
  /** File calls of one connection under way at once; more wait. */
  readonly maxOpenFiles: number;
  /** Output kept for `process/read`, per process: the oldest chunks go first, whole. */
  readonly retainedBytes: number;
  /** The same, counted in chunks. */
  readonly retainedChunks: number;
  /** Sessions without a connection at once; the one that lost its own first goes first. */
  readonly maxDetachedSessions: number;
  /** Between SIGTERM and SIGKILL for processes whose connection has ended; 0 is SIGKILL at once. */
  readonly shutdownGraceMs: number;
}

export const defaultServerLimits: ServerLimits = {
  maxMessageBytes: defaultMaxMessageBytes,
  maxPendingRequests: 1_024,
  maxProcesses: 1_024,
  maxConnections: 256,
  maxOpenFiles: 64,
  retainedBytes: 1024 * 1024,
  retainedChunks: 16_384,
  maxDetachedSessions: 64,
  shutdownGraceMs: 0,
};

/** How long a session outlives its websocket; from the original. */
export const defaultSessionGraceMs = 80_000;
