import type { ClientRequest, IncomingMessage as HttpResponse } from "node:http";
import type { WebSocket } from "ws";
import { TransportError } from "./errors.ts";
import type { PeerWatchOptions } from "./peer-watch.ts";
import { defaultMaxMessageBytes, type Transport } from "./transport.ts";
import { createWebSocketTransport } from "./websocket-transport.ts";

export interface WebSocketConnectOptions extends PeerWatchOptions {
  /** `ws://` or `wss://`. */
  readonly url: string;
  /** Sent with the upgrade, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxMessageBytes?: number;
  /** Gives up connecting; no effect afterwards. */
  readonly signal?: AbortSignal;
}

/**
 * Opens a websocket. Rejects with a `TransportError` of kind `connect` (with `status` when a server refused), or with
 * the signal's reason; nothing is left behind then. Without compression, small messages go out at once.
 */
export async function connectWebSocket(options: WebSocketConnectOptions): Promise<Transport> {
  options.signal?.throwIfAborted();
  const socket = await construct(options);
  return opened(socket, options);
}

async function construct(options: WebSocketConnectOptions): Promise<WebSocket> {
  const { url, headers = {}, maxMessageBytes = defaultMaxMessageBytes } = options;
  const { WebSocket } = await import("ws");
  try {
    return new WebSocket(url, {
      headers,
      maxPayload: maxMessageBytes,
      perMessageDeflate: false,
      followRedirects: false,
    });
  } catch (cause) {
    throw new TransportError("connect", messageOf(cause), { cause });
  }
}

function opened(socket: WebSocket, options: WebSocketConnectOptions): Promise<Transport> {
  const { url, signal, ...watch } = options;
  return new Promise((resolve, reject) => {
    const onAbort = () => fail(signal?.reason);
    const settle = () => {
      signal?.removeEventListener("abort", onAbort);
      socket.removeAllListeners();
    };
    const fail = (reason: unknown) => {
      settle();
      // What a refused or abandoned attempt still says is of no interest.
      socket.on("error", () => undefined);
      socket.terminate();
      reject(reason);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    socket.once("open", () => {
      settle();
      const label = `websocket ${new URL(url).host}`;
      // A server always reads: when it takes nothing for this long it is gone.
      resolve(createWebSocketTransport(socket, { label, stalledPeerMs: 15_000, ...watch }));
    });
    socket.once("error", (cause) =>
      fail(new TransportError("connect", messageOf(cause), { cause })),
    );
    socket.once("unexpected-response", (request, response) => fail(refusal(request, response)));
  });
}

function refusal(request: ClientRequest, response: HttpResponse): TransportError {
  const status = response.statusCode ?? 0;
  request.destroy();
  return new TransportError("connect", `server answered ${status}`, { status });
}

function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // Several addresses tried: an AggregateError without a text of its own.
  return cause.message || ((cause as NodeJS.ErrnoException).code ?? cause.name);
}
