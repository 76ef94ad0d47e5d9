import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import { AsyncQueue } from "./async-queue.ts";
import { ConnectionClosedError } from "./errors.ts";
import { decodeMessage, encodeMessage } from "./message-text.ts";
import type { IncomingMessage, OutgoingMessage, Transport } from "./transport.ts";

/**
 * Two transports that are each other's peer: the in-process mode, and the tests. Every message is written as JSON
 * text and read again, so that neither side can tell it from a wire, and neither can change the other's objects.
 */
export function createTransportPair(): [Transport, Transport] {
  const left = new Lane();
  const right = new Lane();
  return [
    new InMemoryTransport(left, right, "in-process left"),
    new InMemoryTransport(right, left, "in-process right"),
  ];
}

/**
 * Weight that is handed over before the event loop gets a turn: 64 small messages, or one large one. Nothing here waits
 * for a socket, so that without it two sides that keep answering each other would hold up timers and I/O for ever.
 */
const weightPerTurn = 1024 * 1024;
const leastWeight = weightPerTurn / 64;

interface Weighed {
  readonly message: IncomingMessage;
  readonly weight: number;
}

/** One direction: a queue that lets the event loop turn now and then while it is read. */
class Lane implements AsyncIterableIterator<IncomingMessage, undefined> {
  readonly #queue = new AsyncQueue<Weighed>({ capacity: 1024 * 1024 });
  #weightOfTurn = 0;

  get isFull(): boolean {
    return this.#queue.isFull;
  }

  get isEnded(): boolean {
    return this.#queue.isEnded;
  }

  push(message: IncomingMessage, size: number): void {
    this.#queue.push({ message, weight: Math.max(size, leastWeight) }, size);
  }

  room(): Promise<void> {
    return this.#queue.room();
  }

  end(): void {
    this.#queue.end();
  }

  async next(): Promise<IteratorResult<IncomingMessage, undefined>> {
    const { done, value } = await this.#queue.next();
    if (done === true) return { done, value };
    this.#weightOfTurn += value.weight;
    if (this.#weightOfTurn >= weightPerTurn) {
      this.#weightOfTurn = 0;
      await nextEventLoopTurn();
    }
    return { done: false, value: value.message };
  }

  async return(): Promise<IteratorResult<IncomingMessage, undefined>> {
    await this.#queue.return();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

class InMemoryTransport implements Transport {
  readonly label: string;
  readonly messages: AsyncIterable<IncomingMessage>;
  readonly #incoming: Lane;
  readonly #outgoing: Lane;
  #isDisposed = false;
  #pending = 0;

  constructor(incoming: Lane, outgoing: Lane, label: string) {
    this.label = label;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.messages = incoming;
  }

  get pendingBytes(): number {
    return this.#pending;
  }

  async send(message: OutgoingMessage): Promise<void> {
    this.#throwIfClosed();
    const text = encodeMessage(message);
    this.#outgoing.push(decodeMessage(Buffer.from(text)), text.length);
    if (!this.#outgoing.isFull) return;
    this.#pending += text.length;
    await this.#outgoing.room();
    this.#pending -= text.length;
    this.#throwIfClosed();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#outgoing.end();
    // Whatever the peer still sends has nobody to read it.
    await this.#incoming.return();
  }

  #throwIfClosed(): void {
    if (this.#isDisposed || this.#outgoing.isEnded)
      throw new ConnectionClosedError(`${this.label} takes no more messages`);
  }
}
