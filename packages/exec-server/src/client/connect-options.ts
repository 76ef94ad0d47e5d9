export interface ExecServerClientConnectOptions {
  /**
   * What is asked for: the present form of the protocol (default), where the server's answer says whether it speaks
   * that or `exec-server.v0`; or `v0`, with exactly the frames of the first form.
   */
  readonly dialect?: "current" | "v0";
  /** Told to the server, for its log. Default `codex-core`. */
  readonly clientName?: string;
  /** For the answer to `initialize`. Default 10,000. */
  readonly initializeTimeoutMs?: number;
  /** Gives up connecting, with its reason; no effect once connected. */
  readonly signal?: AbortSignal;
}

export const defaultClientName = "codex-core";

/** For opening a websocket and, again, for the handshake; from the seed. */
export const defaultTimeoutMs = 10_000;

/**
 * Largest message taken from a server: v0 cannot tell a file's size before the whole of it arrives as one answer, and
 * a text of 512 MiB is the largest JavaScript has.
 */
export const maxAnswerBytes = 512 * 1024 * 1024 - 1024;
