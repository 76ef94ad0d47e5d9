/** Bytes that wait for their readers, all together, at which the connection is not read on whoever waits. */
export const maxWaitingBytes = 64 * 1024 * 1024;

export interface Readers {
  /** What has arrived and waits for readers, in bytes. */
  waitingBytes(): number;
  /** Some reader is behind. */
  isAnyBehind(): boolean;
  /** Somebody waits for what comes behind the bytes of a slow reader: an answer, other output, an exit. */
  isAnyWaiting(): boolean;
}

/**
 * Whether the next message is read. The protocol has one stream for everything, so holding back for one slow reader
 * holds back everybody: it is done when nobody else waits, and in any case at {@link maxWaitingBytes}.
 */
export class ReadAhead {
  readonly #readers: Readers;
  #wake: (() => void) | undefined;

  constructor(readers: Readers) {
    this.#readers = readers;
  }

  get isHeldBack(): boolean {
    if (!this.#readers.isAnyBehind()) return false;
    if (this.#readers.waitingBytes() >= maxWaitingBytes) return true;
    return !this.#readers.isAnyWaiting();
  }

  /** Undefined when it may be read at once; otherwise settles when it may. */
  turn(): Promise<void> | undefined {
    return this.isHeldBack ? this.#untilFree() : undefined;
  }

  /** To be called when a reader has moved, or has begun to wait. */
  lookAgain(): void {
    this.#wake?.();
  }

  async #untilFree(): Promise<void> {
    while (this.isHeldBack) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    this.#wake = undefined;
  }
}
