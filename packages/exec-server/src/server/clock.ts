/** Time as the server sees it, so that a test can hold it. */
export interface Clock {
  /** Milliseconds from some fixed point; never goes back. */
  now(): number;
  /** Calls `run` once after `ms`, unless the returned function is called before. Keeps no process alive. */
  after(ms: number, run: () => void): () => void;
}

/** The longest a timer of this platform can be: 24 days. */
const longestMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(ms, longestMs));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
