export interface AsyncQueueOptions {
  /** Total weight at which `room` begins to wait. Nothing is ever dropped. */
  readonly capacity: number;
  /** Called each time the weight has fallen from the capacity to half of it, and when the consumer leaves. */
  readonly onDrain?: () => void;
}

interface Entry<T> {
  readonly item: T;
  readonly weight: number;
}

interface Taker<T> {
  readonly resolve: (result: IteratorResult<T, undefined>) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A queue between one producer and one consumer. Items come out in order; after `end` or `fail` the consumer still
 * gets what was pushed before. When the consumer leaves its loop the rest is dropped and pushes do nothing.
 */
export class AsyncQueue<T> implements AsyncIterableIterator<T, undefined> {
  readonly #options: AsyncQueueOptions;
  #entries: (Entry<T> | undefined)[] = [];
  #head = 0;
  #weight = 0;
  #isFull = false;
  #taker: Taker<T> | undefined;
  #ending: { readonly error: Error | undefined } | undefined;
  #roomWaiters: (() => void)[] = [];

  constructor(options: AsyncQueueOptions) {
    this.#options = options;
  }

  /** True while the weight is at the capacity, or has been and has not yet fallen to half of it. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** True once nothing more can be pushed. */
  get isEnded(): boolean {
    return this.#ending !== undefined;
  }

  /** Adds an item, also over the capacity; see {@link room}. Does nothing after the end. */
  push(item: T, weight = 1): void {
    if (this.#ending !== undefined) return;
    if (this.#taker !== undefined) {
      const taker = this.#taker;
      this.#taker = undefined;
      taker.resolve({ done: false, value: item });
      return;
    }
    this.#entries.push({ item, weight });
    this.#weight += weight;
    if (this.#weight >= this.#options.capacity) this.#isFull = true;
  }

  /** Settles when the queue is not full. */
  room(): Promise<void> {
    if (!this.#isFull) return Promise.resolve();
    return new Promise((resolve) => this.#roomWaiters.push(resolve));
  }

  /** No more items. */
  end(): void {
    this.#finish(undefined);
  }

  /** No more items; the consumer's loop throws `error` after the last one. */
  fail(error: Error): void {
    this.#finish(error);
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#head < this.#entries.length)
      return Promise.resolve({ done: false, value: this.#take() });
    if (this.#ending !== undefined) {
      const { error } = this.#ending;
      this.#ending = { error: undefined };
      return error === undefined ? Promise.resolve(finished) : Promise.reject(error);
    }
    if (this.#taker !== undefined) throw new TypeError("a queue has one consumer");
    return new Promise((resolve, reject) => {
      this.#taker = { resolve, reject };
    });
  }

  return(): Promise<IteratorResult<T, undefined>> {
    this.#finish(undefined);
    this.#ending = { error: undefined };
    this.#entries = [];
    this.#head = 0;
    this.#weight = 0;
    this.#drained();
    return Promise.resolve(finished);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #take(): T {
    const { item, weight } = this.#entries[this.#head] as Entry<T>;
    this.#entries[this.#head] = undefined;
    this.#head += 1;
    if (this.#head > 64 && this.#head * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
    this.#weight -= weight;
    if (this.#isFull && this.#weight <= this.#options.capacity / 2) this.#drained();
    return item;
  }

  #drained(): void {
    this.#isFull = false;
    for (const resolve of this.#roomWaiters.splice(0)) resolve();
    this.#options.onDrain?.();
  }

  #finish(error: Error | undefined): void {
    if (this.#ending !== undefined) return;
    this.#ending = { error };
    for (const resolve of this.#roomWaiters.splice(0)) resolve();
    const taker = this.#taker;
    if (taker === undefined) return;
    this.#taker = undefined;
    this.#ending = { error: undefined };
    if (error === undefined) taker.resolve(finished);
    else taker.reject(error);
  }
}

const finished = { done: true, value: undefined } as const;
