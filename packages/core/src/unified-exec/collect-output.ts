import { setTimeout } from "node:timers/promises";

/** Time as unified exec sees it; a test brings its own. */
export interface Clock {
  /** Milliseconds that never go back; only differences mean something. */
  now(): number;
  /** Settles after `ms`; rejects when `signal` is aborted first. */
  delay(ms: number, signal: AbortSignal): Promise<void>;
}

/** The two ends of a running command. Both reject when the side that runs it is lost. */
export interface OutputSource {
  /** The program has ended. */
  readonly exited: Promise<unknown>;
  /** The program has ended and all its output has been taken. */
  readonly closed: Promise<unknown>;
}

export interface YieldWindow {
  readonly yieldMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** How long output may trail the exit before a call stops waiting: a background child can hold it open for ever. */
const closeGraceMs = 50;

/**
 * Waits while a command fills its buffer: until the window is over, or the command has ended with all its output, or
 * 50 ms after it has ended. Output alone never ends the wait. Rejects with the signal's reason as soon
 * as that is aborted, and with the source's error.
 */
export async function waitForOutput(source: OutputSource, window: YieldWindow): Promise<void> {
  const { clock, signal } = window;
  signal.throwIfAborted();
  const over = new AbortController();
  try {
    await Promise.race([
      source.closed,
      source.exited.then(() => clock.delay(closeGraceMs, over.signal)),
      clock.delay(window.yieldMs, over.signal),
      rejectOnAbort(signal, over.signal),
    ]);
  } finally {
    over.abort();
  }
}

export const systemClock: Clock = {
  now: () => performance.now(),
  delay: (ms, signal) => setTimeout(ms, undefined, { signal }),
};

function rejectOnAbort(signal: AbortSignal, over: AbortSignal): Promise<never> {
  // A signal of its own: Node warns of a leak at the eleventh listener on one signal, and a turn has more calls at once.
  const own = AbortSignal.any([signal]);
  return new Promise((_, reject) => {
    own.addEventListener("abort", () => reject(own.reason as Error), { once: true, signal: over });
  });
}
