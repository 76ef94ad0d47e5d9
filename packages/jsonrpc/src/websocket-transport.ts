import type { RawData, WebSocket } from "ws";
import { AsyncQueue } from "./async-queue.ts";
import { ConnectionClosedError, TransportError } from "./errors.ts";
import { decodeMessage, encodeBytes, isLarge, piecesOf } from "./message-text.ts";
import { PeerWatch, type PeerWatchOptions } from "./peer-watch.ts";
import { SendOrder } from "./send-order.ts";
import { settleWithin } from "./settle-within.ts";
import type { IncomingMessage, OutgoingMessage, Transport } from "./transport.ts";
import { WriteWindow } from "./write-window.ts";

export interface WebSocketTransportOptions extends PeerWatchOptions {
  readonly label: string;
  /** How long disposing waits for the closing handshake before it cuts the connection; default 1,000. */
  readonly closeMs?: number;
}

/** Received messages wait here, at most about this much, before the peer is held back. */
const incomingBytes = 1024 * 1024;

/** What an object costs beside its text, so that many empty messages are held back too. */
const messageOverhead = 256;

/** One message per text frame, binary frames with JSON are taken too. Owns the socket, which must be open. */
export function createWebSocketTransport(
  socket: WebSocket,
  options: WebSocketTransportOptions,
): Transport {
  return new WebSocketTransport(socket, options);
}

class WebSocketTransport implements Transport {
  readonly label: string;
  readonly messages: AsyncIterable<IncomingMessage>;
  readonly #socket: WebSocket;
  readonly #options: WebSocketTransportOptions;
  readonly #incoming: AsyncQueue<IncomingMessage>;
  readonly #window = new WriteWindow();
  readonly #order = new SendOrder();
  readonly #watch: PeerWatch;
  readonly #closed: Promise<void>;

  constructor(socket: WebSocket, options: WebSocketTransportOptions) {
    this.label = options.label;
    this.#socket = socket;
    this.#options = options;
    this.#watch = new PeerWatch(options, {
      ping: () => socket.ping(),
      isPaused: () => socket.isPaused,
      owedBytes: () => this.#window.outstandingBytes,
      giveUp: (error) => this.#fail(error),
    });
    this.#incoming = new AsyncQueue({ capacity: incomingBytes, onDrain: () => this.#resume() });
    this.messages = this.#incoming;
    this.#closed = this.#listen();
  }

  get pendingBytes(): number {
    return this.#window.outstandingBytes;
  }

  send(message: OutgoingMessage): Promise<void> {
    if (this.#window.closedBy !== undefined) return Promise.reject(this.#window.closedBy);
    if (isLarge(message)) return this.#order.slow(() => this.#writeLarge(message));
    return this.#order.quick(() => this.#write(encodeBytes(message, ""), true));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { closeMs = 1_000 } = this.#options;
    this.#incoming.end();
    await settleWithin(
      this.#order.quick(() => {
        this.#socket.close(1000);
        // The closing handshake needs a reader.
        this.#resume();
        return this.#closed;
      }),
      closeMs,
    );
    this.#socket.terminate();
    await this.#closed;
  }

  #listen(): Promise<void> {
    const socket = this.#socket;
    socket.on("message", (data) => this.#accept(toBuffer(data)));
    socket.on("ping", () => this.#watch.heard());
    socket.on("pong", () => this.#watch.heard());
    socket.on("error", (error) => this.#fail(transportErrorOf(this.label, error)));
    return new Promise((resolve) => {
      socket.once("close", () => {
        this.#watch.stop();
        this.#incoming.end();
        this.#closeWriting();
        resolve();
      });
    });
  }

  #accept(data: Buffer): void {
    this.#watch.heard();
    this.#incoming.push(decodeMessage(data), data.length + messageOverhead);
    if (this.#incoming.isFull) this.#socket.pause();
  }

  #resume(): void {
    this.#watch.heard();
    this.#socket.resume();
  }

  #write(bytes: Buffer, isLast: boolean): Promise<void> {
    const closedBy = this.#window.closedBy;
    if (closedBy !== undefined) return Promise.reject(closedBy);
    this.#window.add(bytes.length);
    this.#socket.send(bytes, { binary: false, fin: isLast }, (error) => {
      // Such as a send while the closing handshake is under way.
      if (error) this.#closeWriting(error);
      this.#window.remove(bytes.length);
      this.#watch.progressed();
    });
    return this.#window.room();
  }

  async #writeLarge(message: OutgoingMessage): Promise<void> {
    for (const piece of piecesOf(message)) await this.#write(piece, false);
    await this.#write(Buffer.alloc(0), true);
  }

  #fail(error: TransportError): void {
    this.#incoming.fail(error);
    this.#closeWriting(error);
    this.#socket.terminate();
  }

  #closeWriting(cause?: unknown): void {
    this.#window.close(
      new ConnectionClosedError(`${this.label} takes no more messages`, { cause }),
    );
  }
}

function toBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}

function transportErrorOf(label: string, cause: Error): TransportError {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH")
    return new TransportError("tooLarge", "message is larger than the limit", { cause });
  return new TransportError("failed", `connection to ${label} broke`, { cause });
}
