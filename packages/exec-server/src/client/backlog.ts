import { AsyncQueue } from "@codex/jsonrpc";

export interface BacklogOptions<T> {
  /** What an item counts for, in bytes. */
  readonly weightOf: (item: T) => number;
  /** Bytes at which its reader counts as behind. */
  readonly capacityBytes: number;
  /** Called whenever an item was taken, asked for in vain, or the rest was given up. */
  readonly onTaken: () => void;
}

/**
 * What has arrived and waits for its one reader. Nothing is ever dropped while the reader is there; whoever fills it
 * looks at {@link isFull} and {@link isAwaited} to know whether to go on.
 */
export class Backlog<T> implements AsyncIterableIterator<T, undefined> {
  /** Settles when nothing more comes and the last item has been taken or given up. Never rejects. */
  readonly drained: Promise<void>;
  readonly #options: BacklogOptions<T>;
  readonly #queue = new AsyncQueue<T>({ capacity: Infinity });
  #settleDrained: () => void = () => undefined;
  #bytes = 0;
  #isAwaited = false;
  #isLeft = false;

  constructor(options: BacklogOptions<T>) {
    this.#options = options;
    this.drained = new Promise((resolve) => {
      this.#settleDrained = resolve;
    });
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isFull(): boolean {
    return this.#bytes >= this.#options.capacityBytes;
  }

  /** The reader has taken everything and asks for more. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** The reader has gone: what comes is dropped. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  push(item: T): void {
    if (this.#queue.isEnded) return;
    this.#bytes += this.#options.weightOf(item);
    this.#queue.push(item);
  }

  end(): void {
    this.#queue.end();
    this.#settleWhenEmpty();
  }

  /** No more items; the reader's loop throws `error` after the last one. */
  fail(error: Error): void {
    this.#queue.fail(error);
    this.#settleWhenEmpty();
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    const taken = this.#queue.next();
    if (this.#bytes === 0) {
      this.#isAwaited = true;
      this.#options.onTaken();
    }
    const result = await taken.finally(() => (this.#isAwaited = false));
    if (result.done !== true && !this.#isLeft) this.#bytes -= this.#options.weightOf(result.value);
    this.#settleWhenEmpty();
    this.#options.onTaken();
    return result;
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.#isLeft = true;
    this.#bytes = 0;
    this.#settleDrained();
    const result = await this.#queue.return();
    this.#options.onTaken();
    return result;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #settleWhenEmpty(): void {
    if (this.#queue.isEnded && this.#bytes === 0) this.#settleDrained();
  }
}
