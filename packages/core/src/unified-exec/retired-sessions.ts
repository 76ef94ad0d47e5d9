/** What is kept of a command that has ended for the model. */
export interface RetiredSession {
  /** Settles when its output is at its end, or is lost. */
  readonly closed: Promise<unknown>;
  /** Ends what it left behind; never rejects. */
  terminate(graceMs: number): Promise<void>;
}

/** Each of these holds descriptors; the oldest of more is ended. */
const maxOpen = 64;
/** Each of these is a small object; the oldest of more is forgotten, and what it left behind is the environment's. */
const maxClosed = 1_024;
const graceMs = 2_000;

/**
 * Commands whose end the model has been told. Programs that they put in the background live on, with their output or
 * without it, until the thread ends them.
 */
export class RetiredSessions {
  readonly #open = new Set<RetiredSession>();
  readonly #closed = new Set<RetiredSession>();

  add(session: RetiredSession): void {
    if (this.#closed.has(session)) return;
    this.#open.add(session);
    void session.closed.catch(() => {}).then(() => this.#close(session));
    const [oldest] = this.#open;
    if (oldest !== undefined && this.#open.size > maxOpen) {
      this.#open.delete(oldest);
      void oldest.terminate(graceMs);
    }
  }

  all(): RetiredSession[] {
    return [...this.#open, ...this.#closed];
  }

  #close(session: RetiredSession): void {
    if (!this.#open.delete(session)) return;
    this.#closed.add(session);
    const [oldest] = this.#closed;
    if (oldest !== undefined && this.#closed.size > maxClosed) this.#closed.delete(oldest);
  }
}
