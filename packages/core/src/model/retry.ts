import type { ModelError } from "./model-client.ts";

/** One wait is never longer than this, nor a wish for a longer one granted. */
export const longestWaitMs = 60_000;
/** All waits for one response together. */
export const longestTotalWaitMs = 300_000;
// Own waits stop growing at 32 x the base: with the defaults a server that is away is given up after about 32 s.
const mostDoublings = 5;
const jitter = 0.1;

export interface RetrySettings {
  readonly requestMaxRetries: number;
  readonly streamMaxRetries: number;
  readonly retryBaseDelayMs: number;
  /** 0 <= random() < 1. */
  readonly random: () => number;
}

export interface Retry {
  readonly delayMs: number;
  /** From 1. */
  readonly attempt: number;
  /** How many there can be if nothing else goes wrong than this. */
  readonly max: number;
  /** `Reconnecting... 1/5 (CAUSE)`, for a person. */
  readonly message: string;
}

/**
 * How often and after what wait one response is asked for again. One budget per response: a completed one ends it.
 *
 * A broken stream costs a stream retry. A failed request costs a request retry and, when those are used up, a stream
 * retry, so that a server may be away for a while. Without a wish of the server the wait is base x 2^n, n the retries
 * so far, with 10 % jitter both ways; a wish is kept to exactly.
 */
export class RetryBudget {
  readonly #settings: RetrySettings;
  #requestRetries = 0;
  #streamRetries = 0;
  #waitedMs = 0;

  constructor(settings: RetrySettings) {
    this.#settings = settings;
  }

  /** What to do after this failure; undefined: give up, `error` is what the turn ends with. Counts as taken. */
  next(error: ModelError): Retry | undefined {
    if (!error.isRetryable || this.#isUsedUp(error)) return undefined;
    const delayMs = this.#delayMs(error);
    if (delayMs > longestWaitMs || this.#waitedMs + delayMs > longestTotalWaitMs) return undefined;
    this.#waitedMs += delayMs;
    this.#spend(error);
    const attempt = this.#requestRetries + this.#streamRetries;
    const max = this.#max(error);
    return {
      delayMs,
      attempt,
      max,
      message: `Reconnecting... ${attempt}/${max} (${error.message})`,
    };
  }

  #isUsedUp(error: ModelError): boolean {
    const { requestMaxRetries, streamMaxRetries } = this.#settings;
    if (this.#streamRetries < streamMaxRetries) return false;
    return error.phase === "stream" || this.#requestRetries >= requestMaxRetries;
  }

  #spend(error: ModelError): void {
    const hasRequestRetry = this.#requestRetries < this.#settings.requestMaxRetries;
    if (error.phase === "request" && hasRequestRetry) this.#requestRetries += 1;
    else this.#streamRetries += 1;
  }

  #max(error: ModelError): number {
    const { requestMaxRetries, streamMaxRetries } = this.#settings;
    const requests = error.phase === "request" ? requestMaxRetries : this.#requestRetries;
    return requests + streamMaxRetries;
  }

  #delayMs(error: ModelError): number {
    // "At once" from a server that is in trouble is no wish worth keeping to.
    if (error.retryAfterMs !== undefined && error.retryAfterMs > 0) return error.retryAfterMs;
    const { retryBaseDelayMs, random } = this.#settings;
    const doublings = Math.min(this.#requestRetries + this.#streamRetries, mostDoublings);
    const delayMs = retryBaseDelayMs * 2 ** doublings * (1 - jitter + 2 * jitter * random());
    return Math.min(Math.round(delayMs), longestWaitMs);
  }
}
