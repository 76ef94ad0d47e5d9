import type { Readable, Writable } from "node:stream";
import { createLineTransport } from "@codex/jsonrpc";
import { ExecServerClient } from "./client.ts";
import { type ExecServerClientConnectOptions, maxAnswerBytes } from "./connect-options.ts";

/** The two ends of a server's standard streams. */
export interface StdioStreams {
  /** What the server reads from. */
  readonly stdin: Writable;
  /** What the server writes to. */
  readonly stdout: Readable;
}

/**
 * Connects over any pair of byte streams, one message a line. The client owns both: disposing ends `stdin` and
 * destroys both. Rejects with an `ExecServerError` or the signal's reason, the streams closed.
 */
export function connectStdio(
  { stdin, stdout }: StdioStreams,
  options: ExecServerClientConnectOptions = {},
): Promise<ExecServerClient> {
  const transport = createLineTransport({
    readable: stdout,
    writable: stdin,
    label: "exec-server stdio",
    maxMessageBytes: maxAnswerBytes,
  });
  return ExecServerClient.open(transport, options);
}
