import type { OutputChunk } from "@codex/pty";
import type { Clock } from "./clock.ts";

interface CoalesceOptions {
  readonly clock: Clock;
  /** How long after a chunk what follows is collected. */
  readonly windowMs: number;
  /** A collected chunk is at most this large. */
  readonly maxBytes: number;
}

/** 2 ms: below what a person sees, enough to join the lines of a busy terminal. */
export const terminalWindow = { windowMs: 2, maxBytes: 64 * 1024 };

type Next = IteratorResult<OutputChunk, unknown>;

/**
 * Joins small chunks of one stream. The first after a pause goes out at once, so that an echo is not delayed; what
 * follows within the window is held until it ends or the chunk is full. Leaving early leaves the source.
 */
export async function* coalesceOutput(
  source: AsyncIterable<OutputChunk>,
  options: CoalesceOptions,
): AsyncGenerator<OutputChunk, void> {
  const { clock, windowMs } = options;
  const reader = new Reader(source[Symbol.asyncIterator](), options);
  let windowEndsAt = Number.NEGATIVE_INFINITY;
  try {
    for (let next = await reader.next(); next.done !== true; next = await reader.next()) {
      const remainingMs = windowEndsAt - clock.now();
      yield remainingMs <= 0 ? next.value : await reader.collect(next.value, remainingMs);
      windowEndsAt = clock.now() + windowMs;
    }
  } finally {
    await reader.leave();
  }
}

class Reader {
  readonly #iterator: AsyncIterator<OutputChunk>;
  readonly #options: CoalesceOptions;
  /** Asked for, perhaps not there yet; survives a window that ended without it. */
  #pending: Promise<Next> | undefined;
  #hasEnded = false;

  constructor(iterator: AsyncIterator<OutputChunk>, options: CoalesceOptions) {
    this.#iterator = iterator;
    this.#options = options;
  }

  async next(): Promise<Next> {
    const result = await this.#ask();
    this.#pending = undefined;
    this.#hasEnded = result.done === true;
    return result;
  }

  /** `first` and what comes in time, as far as it fits and is of the same stream. */
  async collect(first: OutputChunk, remainingMs: number): Promise<OutputChunk> {
    const parts = [first.bytes];
    let size = first.bytes.byteLength;
    if (size >= this.#options.maxBytes) return first;
    const window = this.#openWindow(remainingMs);
    while (size < this.#options.maxBytes) {
      const result = await Promise.race([this.#ask(), window.ended]);
      if (result === undefined || result.done === true) break;
      const { stream, bytes } = result.value;
      if (stream !== first.stream || size + bytes.byteLength > this.#options.maxBytes) break;
      this.#pending = undefined;
      parts.push(bytes);
      size += bytes.byteLength;
    }
    window.close();
    return parts.length === 1 ? first : { stream: first.stream, bytes: Buffer.concat(parts, size) };
  }

  async leave(): Promise<void> {
    if (!this.#hasEnded) await this.#iterator.return?.();
  }

  #ask(): Promise<Next> {
    this.#pending ??= this.#iterator.next();
    return this.#pending;
  }

  #openWindow(ms: number): { readonly ended: Promise<undefined>; readonly close: () => void } {
    let close: () => void = () => {};
    const ended = new Promise<undefined>((resolve) => {
      close = this.#options.clock.after(ms, () => resolve(undefined));
    });
    return { ended, close };
  }
}
