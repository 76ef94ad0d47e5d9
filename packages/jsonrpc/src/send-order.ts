/**
 * Keeps the order of sends when some take several steps. While none is under way a task runs at once, in the
 * caller's own turn; otherwise it waits for those before it.
 */
export class SendOrder {
  #tail: Promise<void> | undefined;

  /** Runs a task that has done its part when it returns; what it returns may settle later. */
  quick(task: () => Promise<void>): Promise<void> {
    return this.#tail === undefined ? task() : this.slow(task);
  }

  /** Runs a task that others must wait for. */
  slow(task: () => Promise<void>): Promise<void> {
    const result = (this.#tail ?? Promise.resolve()).then(task);
    const release = () => {
      if (this.#tail === tail) this.#tail = undefined;
    };
    const tail: Promise<void> = result.then(release, release);
    this.#tail = tail;
    return result;
  }
}
