import { errorCode } from "./os-error.ts";
import { ProcessError } from "./process.ts";

const firstPauseMs = 1;
const longestPauseMs = 50;

interface PendingWrite {
  rest: Uint8Array;
  settle(error?: unknown): void;
}

/**
 * Writes to a terminal's master in order, without ever waiting inside a write. A program that does not read makes the
 * terminal refuse (EAGAIN); nothing can wait for room on a master in Node, so it is asked again after 1, 2, 4 up to
 * 50 ms.
 */
export class TerminalWriter {
  readonly #writeNow: (bytes: Uint8Array) => number;
  #pending: PendingWrite[] = [];
  #pause: NodeJS.Timeout | undefined;
  #pauseMs = firstPauseMs;
  #isClosed = false;

  /** `writeNow` writes what fits and gives its length, or throws; EAGAIN means nothing fits. */
  constructor(writeNow: (bytes: Uint8Array) => number) {
    this.#writeNow = writeNow;
  }

  /** Settles when the terminal has taken all of `bytes`. An abort takes back what it has not. */
  write(bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error);
      if (this.#isClosed) return reject(inputIsClosed());
      const onAbort = (): void => {
        this.#pending = this.#pending.filter((write) => write !== pending);
        pending.settle(signal?.reason);
      };
      const pending: PendingWrite = {
        rest: bytes,
        settle: (error) => {
          signal?.removeEventListener("abort", onAbort);
          if (error === undefined) resolve();
          else reject(error as Error);
        },
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#pending.push(pending);
      if (this.#pause === undefined) this.#flush();
    });
  }

  /** What is still waiting, and every later write, is refused as `stdinClosed`. Safe to repeat. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#pause);
    this.#pause = undefined;
    for (const write of this.#pending.splice(0)) write.settle(inputIsClosed());
  }

  #flush(): void {
    this.#pause = undefined;
    for (let first = this.#pending[0]; first !== undefined; first = this.#pending[0]) {
      if (first.rest.length > 0 && !this.#advance(first)) return;
      if (first.rest.length > 0) continue;
      this.#pending.shift();
      first.settle();
    }
  }

  /** False when the terminal takes nothing more for now, or ever. */
  #advance(write: PendingWrite): boolean {
    try {
      write.rest = write.rest.subarray(this.#writeNow(write.rest));
      this.#pauseMs = firstPauseMs;
      return true;
    } catch (error) {
      if (errorCode(error) === "EAGAIN") this.#tryAgainLater();
      else this.close();
      return false;
    }
  }

  #tryAgainLater(): void {
    this.#pause = setTimeout(() => this.#flush(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }
}

export function inputIsClosed(cause?: unknown): ProcessError {
  return new ProcessError("stdinClosed", "the input of the process is closed", { cause });
}
