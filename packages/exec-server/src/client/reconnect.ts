import { Connection, type ConnectionOptions, type Transport } from "@codex/jsonrpc";
import { ErrorCode } from "@codex/protocol";
import { setTimeout as delay } from "node:timers/promises";
import type { ExecServerClientConnectOptions } from "./connect-options.ts";
import { ExecServerError, serverStartedAnew, sessionGone } from "./exec-server-error.ts";
import { type Greeting, performHandshake } from "./handshake.ts";

/** How a client gets back to a session after a cut. */
export interface ReconnectOptions {
  /** Opens what carries the messages, to the same server. */
  readonly open: (signal: AbortSignal) => Promise<Transport>;
  /** From the cut on. Default 25,000, below the 80 s for which the original's server keeps a session. */
  readonly giveUpAfterMs?: number;
  /** Between two attempts; the first is made at once. Default 100. */
  readonly retryDelayMs?: number;
}

export interface ReconnectParts {
  readonly reconnect: ReconnectOptions;
  /** What the server said when the session began. */
  readonly greeting: Extract<Greeting, { readonly dialect: "current" }>;
  readonly connect: ExecServerClientConnectOptions;
  readonly connectionOptions: ConnectionOptions;
  /** Stops trying. */
  readonly signal: AbortSignal;
}

const defaultGiveUpAfterMs = 25_000;
const defaultRetryDelayMs = 100;

/**
 * A new connection to the same session. Goes on trying while the server cannot be reached or has not noticed that the
 * old connection is gone. Rejects with what made going on impossible, or with the last reason when the time is over.
 */
export async function reconnect(parts: ReconnectParts): Promise<Connection> {
  const { signal: stop, greeting } = parts;
  const { giveUpAfterMs = defaultGiveUpAfterMs, retryDelayMs = defaultRetryDelayMs } =
    parts.reconnect;
  const graceMs = greeting.answer.sessionGraceMs ?? Number.POSITIVE_INFINITY;
  const signal = AbortSignal.any([stop, AbortSignal.timeout(Math.min(giveUpAfterMs, graceMs))]);
  let last: unknown = new Error("no attempt was made in time");
  while (!signal.aborted) {
    try {
      return await attempt(parts, signal);
    } catch (error) {
      if (!signal.aborted || isFinal(error)) last = error;
      if (isFinal(error)) break;
    }
    await delay(retryDelayMs, undefined, { signal }).catch(() => undefined);
  }
  throw last;
}

async function attempt(
  { reconnect: { open }, greeting: { answer }, connect, connectionOptions }: ReconnectParts,
  signal: AbortSignal,
): Promise<Connection> {
  const connection = new Connection(await open(signal), connectionOptions);
  try {
    const again = await performHandshake(connection, { ...connect, signal }, answer.sessionId);
    const instanceId = again.dialect === "current" ? again.answer.instanceId : undefined;
    if (instanceId !== answer.instanceId) throw serverStartedAnew();
    if (again.dialect !== "current" || again.answer.sessionId !== answer.sessionId)
      throw sessionGone();
    return connection;
  } catch (error) {
    await connection[Symbol.asyncDispose]();
    throw explained(error, answer.instanceId);
  }
}

function explained(error: unknown, ownInstanceId: string | undefined): unknown {
  if (!(error instanceof ExecServerError) || error.kind !== "server") return error;
  if (error.code === ErrorCode.sessionAttached) return error;
  const { data } = error;
  const instanceId =
    typeof data === "object" && data !== null && "instanceId" in data ? data.instanceId : undefined;
  if (instanceId !== undefined && instanceId !== ownInstanceId) return serverStartedAnew(error);
  return sessionGone(error);
}

/** Another attempt would fail alike. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof ExecServerError)) return false;
  if (error.kind === "server") return error.code !== ErrorCode.sessionAttached;
  return error.kind === "protocol" || error.kind === "json" || error.kind === "sessionGone";
}
