/** Marks of every transport: a sender waits over the high one and goes on at the low one. */
const defaultMarks = { highBytes: 1024 * 1024, lowBytes: 256 * 1024 };

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

const settled = Promise.resolve();

/** Counts bytes on their way out and makes senders wait while there are too many. */
export class WriteWindow {
  readonly #marks: typeof defaultMarks;
  #outstanding = 0;
  #waiters: Waiter[] = [];
  #closedBy: Error | undefined;

  constructor(marks: typeof defaultMarks = defaultMarks) {
    this.#marks = marks;
  }

  get outstandingBytes(): number {
    return this.#outstanding;
  }

  /** Why nothing goes out any more. */
  get closedBy(): Error | undefined {
    return this.#closedBy;
  }

  add(bytes: number): void {
    this.#outstanding += bytes;
  }

  remove(bytes: number): void {
    this.#outstanding -= bytes;
    if (this.#outstanding > this.#marks.lowBytes) return;
    for (const { resolve } of this.#waiters.splice(0)) resolve();
  }

  /** Settles when there is room; rejects once closed. */
  room(): Promise<void> {
    if (this.#closedBy !== undefined) return Promise.reject(this.#closedBy);
    if (this.#outstanding < this.#marks.highBytes) return settled;
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  close(error: Error): void {
    if (this.#closedBy !== undefined) return;
    this.#closedBy = error;
    for (const { reject } of this.#waiters.splice(0)) reject(error);
  }
}
