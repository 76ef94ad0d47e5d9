import type { Readable, Writable } from "node:stream";
import { ConnectionClosedError, TransportError } from "./errors.ts";
import { LineDecoder } from "./line-decoder.ts";
import { decodeMessage, encodeBytes, isLarge, piecesOf } from "./message-text.ts";
import { SendOrder } from "./send-order.ts";
import { settleWithin } from "./settle-within.ts";
import {
  defaultMaxMessageBytes,
  type IncomingMessage,
  isMalformed,
  type OutgoingMessage,
  type Transport,
} from "./transport.ts";
import { WriteWindow } from "./write-window.ts";

export interface LineTransportOptions {
  readonly readable: Readable;
  readonly writable: Writable;
  readonly label: string;
  readonly maxMessageBytes?: number;
  /**
   * How many bytes of lines that are no messages to skip before the first message: a login shell may greet first.
   * Left out: none. Over it, such a line is malformed, quoted from the very start of the input.
   */
  readonly bannerBytes?: number;
  /** Called with each skipped line. */
  readonly onBanner?: (line: string) => void;
  /** How long disposing waits for the peer to take what was sent; default 2,000. */
  readonly flushMs?: number;
}

/** One message per line of JSON, over any pair of byte streams; blank lines are skipped. The transport owns both streams. */
export function createLineTransport(options: LineTransportOptions): Transport {
  return new LineTransport(options);
}

class LineTransport implements Transport {
  readonly label: string;
  readonly messages: AsyncIterable<IncomingMessage>;
  readonly #options: LineTransportOptions;
  readonly #window = new WriteWindow();
  readonly #order = new SendOrder();
  #isCorked = false;
  #isDisposed = false;

  constructor(options: LineTransportOptions) {
    this.label = options.label;
    this.#options = options;
    this.messages = this.#receive();
    options.writable.on("error", (cause) => this.#closeWriting(cause));
    options.writable.on("close", () => this.#closeWriting());
    // Without a listener an error before the first read would end this process.
    options.readable.on("error", () => undefined);
  }

  get pendingBytes(): number {
    return this.#window.outstandingBytes;
  }

  send(message: OutgoingMessage): Promise<void> {
    if (this.#window.closedBy !== undefined) return Promise.reject(this.#window.closedBy);
    if (isLarge(message)) return this.#order.slow(() => this.#writeLarge(message));
    return this.#order.quick(() => this.#write(encodeBytes(message, "\n")));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    const { readable, writable, flushMs = 2_000 } = this.#options;
    await settleWithin(
      this.#order.quick(() => ended(writable)),
      flushMs,
    );
    this.#closeWriting();
    writable.destroy();
    readable.destroy();
  }

  async *#receive(): AsyncGenerator<IncomingMessage> {
    const { readable, maxMessageBytes = defaultMaxMessageBytes } = this.#options;
    const decoder = new LineDecoder(maxMessageBytes);
    const banner = new Banner(this.#options);
    try {
      for await (const bytes of readable as AsyncIterable<Buffer>)
        for (const line of decoder.push(bytes)) yield* banner.pass(line);
      const last = decoder.finish();
      if (last !== undefined) yield* banner.pass(last);
      yield* banner.end();
    } catch (cause) {
      if (this.#isDisposed) return;
      if (cause instanceof RangeError)
        throw new TransportError("tooLarge", `message is larger than ${maxMessageBytes} bytes`, {
          cause,
        });
      throw new TransportError("failed", `failed to read from ${this.label}`, { cause });
    }
  }

  #write(bytes: Buffer): Promise<void> {
    const closedBy = this.#window.closedBy;
    if (closedBy !== undefined) return Promise.reject(closedBy);
    this.#cork();
    this.#window.add(bytes.length);
    this.#options.writable.write(bytes, () => this.#window.remove(bytes.length));
    return this.#window.room();
  }

  async #writeLarge(message: OutgoingMessage): Promise<void> {
    for (const piece of piecesOf(message)) await this.#write(piece);
    await this.#write(Buffer.from("\n"));
  }

  /** One system call for all messages of one turn of the loop. */
  #cork(): void {
    if (this.#isCorked) return;
    const { writable } = this.#options;
    this.#isCorked = true;
    writable.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      writable.uncork();
    });
  }

  #closeWriting(cause?: unknown): void {
    this.#window.close(
      new ConnectionClosedError(`${this.label} takes no more messages`, { cause }),
    );
  }
}

/** Lets lines that are no messages pass by before the first message, up to a bound. */
class Banner {
  readonly #options: LineTransportOptions;
  #skipped = "";
  #hasBegun: boolean;

  constructor(options: LineTransportOptions) {
    this.#options = options;
    this.#hasBegun = options.bannerBytes === undefined;
  }

  *pass(line: Buffer): Generator<IncomingMessage> {
    if (isBlank(line)) return;
    const message = decodeMessage(line);
    if (this.#hasBegun || !isMalformed(message)) {
      this.#hasBegun = true;
      yield message;
      return;
    }
    const text = line.toString("utf8");
    this.#skipped += `${text}\n`;
    this.#options.onBanner?.(text);
    if (this.#skipped.length > (this.#options.bannerBytes ?? 0)) yield this.#wrongStart(message);
  }

  /** At the end of the input: a peer that only ever greeted is no peer. */
  *end(): Generator<IncomingMessage> {
    if (!this.#hasBegun && this.#skipped !== "")
      yield this.#wrongStart({ malformed: "ended without a message" });
  }

  #wrongStart({ malformed }: { readonly malformed: string }): IncomingMessage {
    this.#hasBegun = true;
    return { malformed, excerpt: this.#skipped.slice(0, 200) };
  }
}

function isBlank(line: Buffer): boolean {
  for (const byte of line) if (byte !== 32 && byte !== 9 && byte !== 13) return false;
  return true;
}

/** Ends a stream and waits until its last byte has been taken, or it broke. */
function ended(writable: Writable): Promise<void> {
  if (writable.destroyed || writable.writableFinished) return Promise.resolve();
  return new Promise((resolve) => {
    writable.once("error", () => resolve());
    writable.once("close", resolve);
    writable.end(resolve);
  });
}
