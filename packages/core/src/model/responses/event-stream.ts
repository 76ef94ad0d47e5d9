import { createParser } from "eventsource-parser";
import type { Readable } from "node:stream";
import { ModelError } from "../model-client.ts";

// One event holds at most a whole answer with its pictures.
const maxEventLength = 64 * 1024 * 1024;
const maxStrayLength = 64 * 1024;
const longestTimerMs = 2 ** 31 - 1;

/**
 * The `data` of server-sent events, bytes in whatever pieces they come. Throws {@link ModelError} `timeout` when none
 * comes for `idleTimeoutMs` (comments do not count, nor does the time the reader takes), and `stream` when the bytes
 * break off. A body without a single event, such as an error in plain JSON, is given as one piece of data (its first
 * 64 Ki characters). Ends when the stream ends; left early, `body` stays as it is, so that its owner can drain it.
 */
export async function* readEventStream(
  body: Readable,
  idleTimeoutMs: number,
): AsyncGenerator<string, void, undefined> {
  const decoder = new EventDecoder();
  const idle = new IdleTimer(idleTimeoutMs, (error) => body.destroy(error));
  try {
    idle.start();
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      const events = decoder.feed(chunk as Uint8Array);
      if (events.length === 0) continue;
      idle.stop();
      yield* events;
      idle.start();
    }
    yield* decoder.end();
  } catch (error) {
    throw error instanceof ModelError ? error : brokenStream(error);
  } finally {
    idle.stop();
  }
}

/** Bytes to events: pieces may end in the middle of a character. */
class EventDecoder {
  readonly #text = new TextDecoder();
  #events: string[] = [];
  /** Everything so far, until the first event shows that it is an event stream. */
  #stray: string | undefined = "";
  readonly #parser = createParser({
    maxBufferSize: maxEventLength,
    onEvent: (event) => this.#events.push(event.data),
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") throw streamError(error.message);
    },
  });

  feed(chunk: Uint8Array): readonly string[] {
    return this.#read(this.#text.decode(chunk, { stream: true }));
  }

  end(): readonly string[] {
    const events = this.#read(this.#text.decode());
    const stray = this.#stray?.trim() ?? "";
    return stray === "" ? events : [stray];
  }

  #read(text: string): readonly string[] {
    this.#parser.feed(text);
    const events = this.#events;
    this.#events = [];
    if (events.length > 0) this.#stray = undefined;
    else if (this.#stray !== undefined && this.#stray.length < maxStrayLength) this.#stray += text;
    return events;
  }
}

class IdleTimer {
  readonly #timeoutMs: number;
  readonly #onIdle: (error: ModelError) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number, onIdle: (error: ModelError) => void) {
    this.#timeoutMs = Math.min(timeoutMs, longestTimerMs);
    this.#onIdle = onIdle;
  }

  start(): void {
    this.#timer = setTimeout(() => this.#onIdle(idleError()), this.#timeoutMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

function idleError(): ModelError {
  return new ModelError(
    "timeout",
    "stream disconnected before completion: idle timeout waiting for SSE",
    { isRetryable: true, phase: "stream" },
  );
}

function brokenStream(cause: unknown): ModelError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return streamError(`Transport error: network error: ${reason}`, cause);
}

function streamError(reason: string, cause?: unknown): ModelError {
  return new ModelError("stream", `stream disconnected before completion: ${reason}`, {
    isRetryable: true,
    phase: "stream",
    cause,
  });
}
