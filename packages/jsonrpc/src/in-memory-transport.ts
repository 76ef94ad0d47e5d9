import { AsyncQueue } from "./async-queue.ts";
import { ConnectionClosedError } from "./errors.ts";
import { decodeMessage, encodeMessage } from "./message-text.ts";
import type { IncomingMessage, OutgoingMessage, Transport } from "./transport.ts";

/**
 * Two transports that are each other's peer: the in-process mode, and the tests. Every message is written as JSON
 * text and read again, so that neither side can tell it from a wire, and neither can change the other's objects.
 */
export function createTransportPair(): [Transport, Transport] {
  const left = createLane();
  const right = createLane();
  return [
    new InMemoryTransport(left, right, "in-process left"),
    new InMemoryTransport(right, left, "in-process right"),
  ];
}

function createLane(): AsyncQueue<IncomingMessage> {
  return new AsyncQueue({ capacity: 1024 * 1024 });
}

class InMemoryTransport implements Transport {
  readonly label: string;
  readonly messages: AsyncIterable<IncomingMessage>;
  readonly #incoming: AsyncQueue<IncomingMessage>;
  readonly #outgoing: AsyncQueue<IncomingMessage>;
  #isDisposed = false;
  #pending = 0;

  constructor(
    incoming: AsyncQueue<IncomingMessage>,
    outgoing: AsyncQueue<IncomingMessage>,
    label: string,
  ) {
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
