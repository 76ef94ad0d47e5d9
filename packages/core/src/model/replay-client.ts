import type { WireEvent } from "./conversation-entry.ts";
import { type Exchange, parseConversation, replayError } from "./conversation-file.ts";
import { type ModelClient, ModelError, type ModelEvent, type Prompt } from "./model-client.ts";
import { modelEventOf } from "./responses/events.ts";

export interface ReplayOptions {
  /** The conversation, see {@link parseConversation}. */
  readonly text: string;
  /** Its name in messages. */
  readonly file: string;
}

/**
 * A model that says what a file says: the n-th `stream` gets the n-th exchange, whatever it asks. A `{{name}}` in any
 * string of an event is the value last captured under that name. Throws at once a {@link ModelError} of kind `replay`
 * when the file cannot be read, and `stream` does when a capture finds nothing or the conversation is over.
 */
export function createReplayClient(options: ReplayOptions): ModelClient {
  const exchanges = parseConversation(options.text, options.file);
  const captured = new Map<string, string>();
  let played = 0;
  return {
    async *stream(prompt, signal) {
      signal.throwIfAborted();
      const exchange = exchanges[played];
      played += 1;
      if (exchange === undefined) throw usedUp(options.file, exchanges.length, played);
      capture(exchange, prompt, captured);
      yield* play(exchange, captured, signal);
    },
  };
}

async function* play(
  exchange: Exchange,
  captured: ReadonlyMap<string, string>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  for (const wire of exchange.events) {
    signal.throwIfAborted();
    const event = read(filled(wire, captured), exchange.place);
    if (event === undefined) continue;
    yield event;
    if (event.type === "completed") return;
  }
  throw replayError(`${exchange.place}: the events end without response.completed`);
}

/** An event that says the response failed is played as that failure; one we cannot read is the file's fault. */
function read(wire: WireEvent, place: string): ModelEvent | undefined {
  try {
    return modelEventOf(wire);
  } catch (error) {
    if (error instanceof ModelError && error.kind === "stream")
      throw replayError(`${place}: ${error.message}`);
    throw error;
  }
}

function capture(exchange: Exchange, prompt: Prompt, captured: Map<string, string>): void {
  if (exchange.captures.size === 0) return;
  const text = JSON.stringify(prompt.input);
  for (const [name, expression] of exchange.captures) {
    const value = [...text.matchAll(expression)].at(-1)?.[1];
    if (value === undefined) {
      throw replayError(
        `${exchange.place}: nothing in the request matches the capture "${name}": ${expression.source}`,
      );
    }
    captured.set(name, value);
  }
}

function filled<T>(value: T, captured: ReadonlyMap<string, string>): T;
function filled(value: unknown, captured: ReadonlyMap<string, string>): unknown {
  if (captured.size === 0) return value;
  if (typeof value === "string") {
    return value.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => captured.get(name) ?? whole);
  }
  if (Array.isArray(value)) return value.map((part: unknown) => filled(part, captured));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, filled(part, captured)]),
  );
}

function usedUp(file: string, count: number, asked: number): ModelError {
  const exchanges = count === 1 ? "1 exchange" : `${count} exchanges`;
  return replayError(
    `${file}: the conversation has ${exchanges}, the run asks for number ${asked}`,
  );
}
