import { connectWebSocket as openWebSocket, type Transport } from "@codex/jsonrpc";
import { ExecServerClient } from "./client.ts";
import {
  defaultTimeoutMs,
  type ExecServerClientConnectOptions,
  maxAnswerBytes,
} from "./connect-options.ts";
import type { ReconnectOptions } from "./reconnect.ts";
import { connectFailed, connectTimedOut } from "./exec-server-error.ts";

export interface RemoteExecServerConnectArgs extends ExecServerClientConnectOptions {
  /** `ws://` or `wss://`. */
  readonly websocketUrl: string;
  /** For the websocket to open; the handshake has its own time. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** Sent as `Authorization: Bearer`. Never part of an error. */
  readonly token?: string | undefined;
  /** Time between pings; a server that is silent for three of them is lost. Default 5,000. */
  readonly pingIntervalMs?: number;
  /** How long a cut session is tried to be resumed, where the server speaks the present form; false: not at all. */
  readonly reconnect?: Partial<Omit<ReconnectOptions, "open">> | false;
}

/**
 * Connects to a server that listens. A server that dies without a word is found within three ping intervals, 15 s by
 * default. Over the present form a cut session is then resumed, see `reconnect`. Rejects with an `ExecServerError` or the
 * signal's reason; nothing is left behind then.
 */
export async function connectWebSocket(
  args: RemoteExecServerConnectArgs,
): Promise<ExecServerClient> {
  const { reconnect = {} } = args;
  const open = (signal: AbortSignal) => openWithin({ ...args, signal });
  return ExecServerClient.open(
    await openWithin(args),
    args,
    reconnect === false ? {} : { reconnect: { ...reconnect, open } },
  );
}

async function openWithin(args: RemoteExecServerConnectArgs): Promise<Transport> {
  const { websocketUrl, connectTimeoutMs = defaultTimeoutMs, token, pingIntervalMs, signal } = args;
  const url = withoutCredentials(websocketUrl);
  const expiry = new AbortController();
  const timer = setTimeout(() => {
    expiry.abort(connectTimedOut(url, connectTimeoutMs));
  }, connectTimeoutMs);
  const stop = signal === undefined ? expiry.signal : AbortSignal.any([signal, expiry.signal]);
  try {
    return await openWebSocket({
      url: websocketUrl,
      maxMessageBytes: maxAnswerBytes,
      signal: stop,
      ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
      ...(pingIntervalMs === undefined ? {} : { pingIntervalMs }),
    });
  } catch (error) {
    throw stop.aborted ? stop.reason : connectFailed(url, error);
  } finally {
    clearTimeout(timer);
  }
}

/** As it may be shown. */
function withoutCredentials(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.username === "" && url.password === "")) return text;
  url.username = "";
  url.password = "";
  return url.href;
}
