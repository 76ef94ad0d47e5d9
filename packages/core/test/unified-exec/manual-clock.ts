import type { Clock } from "../../src/unified-exec/collect-output.ts";

interface Timer {
  readonly dueMs: number;
  readonly fire: () => void;
}

/** A clock that stands still until it is told to go on. */
export class ManualClock implements Clock {
  readonly #timers = new Set<Timer>();
  #nowMs = 0;
  #waiters: (() => void)[] = [];

  now(): number {
    return this.#nowMs;
  }

  delay(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const timer = { dueMs: this.#nowMs + ms, fire: resolve };
      this.#timers.add(timer);
      signal.addEventListener("abort", () => {
        this.#timers.delete(timer);
        reject(signal.reason as Error);
      });
      for (const waiter of this.#waiters.splice(0)) waiter();
    });
  }

  /** How long from now each timer has to go, the soonest first. */
  get pendingMs(): number[] {
    return [...this.#timers].map(({ dueMs }) => dueMs - this.#nowMs).toSorted((a, b) => a - b);
  }

  /** Settles when a timer of exactly this length is running. */
  async timerOf(ms: number): Promise<void> {
    while (!this.pendingMs.includes(ms))
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  /** Fires what becomes due, and lets what hangs on it run. */
  async advance(ms: number): Promise<void> {
    this.#nowMs += ms;
    for (const timer of this.#timers) {
      if (timer.dueMs > this.#nowMs) continue;
      this.#timers.delete(timer);
      timer.fire();
    }
    await settled();
  }
}

/** Lets every promise that can settle without the outside world do so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
