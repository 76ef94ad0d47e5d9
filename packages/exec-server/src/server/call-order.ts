interface Waiting {
  readonly isExclusive: boolean;
  readonly run: () => void;
}

/**
 * Lets calls run together where nobody can tell, and keeps their order where somebody can: a change waits for every
 * call before it and holds up every call after it; what only looks runs beside its like, at most `maxShared` at once.
 * A call that need not wait runs in the caller's own turn.
 */
export class CallOrder {
  readonly #maxShared: number;
  #waiting: Waiting[] = [];
  #shared = 0;
  #isExclusive = false;

  constructor(maxShared: number) {
    this.#maxShared = maxShared;
  }

  /** Runs what only looks. */
  shared<T>(task: () => Promise<T>): Promise<T> {
    return this.#run(task, false);
  }

  /** Runs what changes something. */
  exclusive<T>(task: () => Promise<T>): Promise<T> {
    return this.#run(task, true);
  }

  async #run<T>(task: () => Promise<T>, isExclusive: boolean): Promise<T> {
    if (this.#waiting.length > 0 || !this.#mayRun(isExclusive))
      await new Promise<void>((run) => this.#waiting.push({ isExclusive, run }));
    else this.#enter(isExclusive);
    try {
      return await task();
    } finally {
      this.#leave(isExclusive);
    }
  }

  #mayRun(isExclusive: boolean): boolean {
    if (this.#isExclusive) return false;
    return isExclusive ? this.#shared === 0 : this.#shared < this.#maxShared;
  }

  #enter(isExclusive: boolean): void {
    if (isExclusive) this.#isExclusive = true;
    else this.#shared += 1;
  }

  #leave(isExclusive: boolean): void {
    if (isExclusive) this.#isExclusive = false;
    else this.#shared -= 1;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (!this.#mayRun(next.isExclusive)) return;
      this.#waiting.shift();
      this.#enter(next.isExclusive);
      next.run();
    }
  }
}
