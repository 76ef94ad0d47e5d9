import type {
  IncomingMessage as HttpRequest,
  Server,
  ServerResponse,
  IncomingHttpHeaders,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import { AsyncQueue } from "./async-queue.ts";
import { TransportError } from "./errors.ts";
import type { PeerWatchOptions } from "./peer-watch.ts";
import { defaultMaxMessageBytes, type Transport } from "./transport.ts";
import { createWebSocketTransport } from "./websocket-transport.ts";

/** What an HTTP request says about itself. */
export interface AdmissionRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly isUpgrade: boolean;
}

/** What becomes of it: a websocket, or this answer. */
export type Admission =
  | { readonly kind: "upgrade" }
  | { readonly kind: "answer"; readonly status: number; readonly text: string };

export interface WebSocketListenerOptions extends PeerWatchOptions {
  /** IP address to listen on. */
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Decides about every request before anything else is done for it. Left out: every upgrade is let in. */
  readonly admit?: (request: AdmissionRequest) => Admission;
  /** Open websockets at once; one more gets 503. Default 256. */
  readonly maxConnections?: number;
  readonly maxMessageBytes?: number;
}

/** Disposing stops listening; transports already yielded are their owner's. */
export interface WebSocketListener extends AsyncDisposable {
  /** `ws://ADDRESS:PORT`, with the port that was bound. */
  readonly url: string;
  /** Every client that got in. One consumer; ends when the listener is disposed. */
  readonly connections: AsyncIterable<Transport>;
}

/** Listens for websockets. Rejects with a `TransportError` of kind `connect` when the address cannot be bound. */
export async function listenWebSocket(
  options: WebSocketListenerOptions,
): Promise<WebSocketListener> {
  const [{ createServer }, { WebSocketServer }] = await Promise.all([
    import("node:http"),
    import("ws"),
  ]);
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 });
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: options.maxMessageBytes ?? defaultMaxMessageBytes,
  });
  const listener = new Listener(options, server, sockets);
  await bind(server, options);
  return listener;
}

class Listener implements WebSocketListener {
  readonly #options: WebSocketListenerOptions;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  readonly #connections = new AsyncQueue<Transport>({ capacity: Infinity });
  #open = 0;

  constructor(options: WebSocketListenerOptions, server: Server, sockets: WebSocketServer) {
    this.#options = options;
    this.#server = server;
    this.#sockets = sockets;
    // Those that are still asking count too, so that idle sockets cannot use up the descriptors.
    server.maxConnections = this.#maxConnections * 2;
    server.on("request", (request, response) => this.#answer(request, response));
    server.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head));
  }

  get url(): string {
    const { address, port, family } = this.#server.address() as AddressInfo;
    return `ws://${family === "IPv6" ? `[${address}]` : address}:${port}`;
  }

  get connections(): AsyncIterable<Transport> {
    return this.#connections;
  }

  get #maxConnections(): number {
    return this.#options.maxConnections ?? 256;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connections.end();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #answer(request: HttpRequest, response: ServerResponse): void {
    const admission = this.#admit(request, false);
    const { status, text } =
      admission.kind === "answer" ? admission : { status: 426, text: "websocket upgrade required" };
    response.writeHead(status, { "content-type": "text/plain", connection: "close" });
    response.end(`${text}\n`);
  }

  #upgrade(request: HttpRequest, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    const admission = this.#admit(request, true);
    if (admission.kind === "answer") return refuse(socket, admission.status, admission.text);
    if (this.#open >= this.#maxConnections) return refuse(socket, 503, "too many connections");
    this.#open += 1;
    socket.once("close", () => {
      this.#open -= 1;
    });
    this.#sockets.handleUpgrade(request, socket, head, (client) => this.#accept(client, request));
  }

  #accept(client: WebSocket, request: HttpRequest): void {
    const { remoteAddress = "?", remotePort = 0 } = request.socket;
    const label = `websocket ${remoteAddress}:${remotePort}`;
    this.#connections.push(createWebSocketTransport(client, { ...this.#options, label }));
  }

  #admit(request: HttpRequest, isUpgrade: boolean): Admission {
    const { admit } = this.#options;
    if (admit === undefined) return { kind: "upgrade" };
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    return admit({ path, headers: request.headers, isUpgrade });
  }
}

function refuse(socket: Duplex, status: number, text: string): void {
  const body = `${text}\n`;
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\nconnection: close\r\ncontent-type: text/plain\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`,
  );
}

function bind(server: Server, { host, port }: WebSocketListenerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) =>
      reject(new TransportError("connect", `cannot listen on ${host}:${port}`, { cause })),
    );
    server.listen({ host, port }, resolve);
  });
}
