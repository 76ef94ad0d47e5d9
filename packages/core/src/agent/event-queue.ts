/**
 * Values pushed by one side and pulled by the other, in order. Pushing never waits; a producer that wants to stay
 * bounded awaits `drained` at its own pace. The consumer leaving early is told through `onAbandon`.
 */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #values: T[] = [];
  readonly #onAbandon: () => void;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  #wakeConsumer: (() => void) | undefined;
  #wakeProducers: (() => void)[] = [];

  constructor(onAbandon: () => void) {
    this.#onAbandon = onAbandon;
  }

  push(value: T): void {
    if (this.#ended) return;
    this.#values.push(value);
    this.#wakeConsumer?.();
  }

  /** Nothing more comes; what is queued is still given out. */
  end(): void {
    this.#ended = true;
    this.#wakeConsumer?.();
  }

  /** As {@link end}, after which the consumer's loop throws `error`. */
  fail(error: unknown): void {
    this.#failure = { error };
    this.end();
  }

  /** Settles when at most `limit` values wait to be pulled, or when the consumer is gone. */
  async drained(limit: number): Promise<void> {
    while (this.#values.length > limit && !this.#ended) {
      await new Promise<void>((resolve) => this.#wakeProducers.push(resolve));
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    let isComplete = false;
    try {
      for (;;) {
        const value = this.#values.shift();
        if (value !== undefined) {
          this.#release();
          yield value;
        } else if (this.#ended) {
          isComplete = true;
          if (this.#failure !== undefined) throw this.#failure.error;
          return;
        } else {
          await new Promise<void>((resolve) => (this.#wakeConsumer = resolve));
        }
      }
    } finally {
      if (!isComplete) {
        this.#ended = true;
        this.#values.length = 0;
        this.#onAbandon();
      }
      this.#release();
    }
  }

  #release(): void {
    for (const wake of this.#wakeProducers.splice(0)) wake();
  }
}
