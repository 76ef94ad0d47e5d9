import { setMaxListeners } from "node:events";
import type {
  ThreadEvent,
  ThreadItem,
  TokenUsage,
  TurnCompleted,
  TurnFailed,
} from "@codex/protocol";
import type { TurnLimits } from "./budget.ts";
import { EventQueue } from "./event-queue.ts";
import type { Session } from "./session.ts";
import { TurnTimeout } from "./turn-failure.ts";
import type { TurnInput } from "./turn-input.ts";
import { runTurn } from "./turn.ts";

export interface RunOptions {
  /** Ends the turn and every wait in it within 2 s; the last event is then `turn.failed` of kind `interrupted`. */
  readonly signal?: AbortSignal;
  readonly limits?: TurnLimits;
  /** JSON Schema the last message must have. */
  readonly outputSchema?: unknown;
}

export interface TurnResult {
  readonly status: "completed" | "failed";
  /** The last message of the model in this turn. */
  readonly finalMessage: string | undefined;
  /** Every item that was completed, in that order. */
  readonly items: readonly ThreadItem[];
  /** Over this turn. */
  readonly usage: TokenUsage;
  readonly error: TurnFailed["error"] | undefined;
}

/** At most this many events wait for a slow reader before the turn pauses. */
const maxWaitingEvents = 64;

/**
 * A conversation with the agent; turns one after the other. Whoever started it disposes it, which ends its
 * processes and closes its memory on disk.
 */
export interface Thread extends AsyncDisposable {
  readonly id: string;
  /**
   * Runs a turn and gives its events in order, `thread.started` before the first one of a thread. The turn starts
   * when the first event is asked for; leaving the loop early interrupts it. What goes wrong in a turn is its last
   * event, `turn.failed`; the loop only throws when the thread could not be opened: an environment that cannot be
   * reached (`ProcessError` or `FileSystemError`), or a second turn beside one that is still running.
   */
  runStreamed(input: TurnInput, options?: RunOptions): AsyncIterable<ThreadEvent>;
  /** The same, gathered. Throws as the loop of {@link runStreamed} does. */
  run(input: TurnInput, options?: RunOptions): Promise<TurnResult>;
}

export interface ThreadParts {
  readonly id: string;
  /** Opens the session at the first turn; its events go to `emit` from then on. */
  readonly open: (emit: (event: ThreadEvent) => void, signal: AbortSignal) => Promise<Session>;
  /** Told every event before the reader of the turn is. */
  readonly onEvent?: ((event: ThreadEvent) => void) | undefined;
}

export function createThread(parts: ThreadParts): Thread {
  return new LiveThread(parts);
}

class LiveThread implements Thread {
  readonly #parts: ThreadParts;
  readonly #disposed = new AbortController();
  #session: Promise<Session> | undefined;
  #queue: EventQueue<ThreadEvent> | undefined;
  #turn: Promise<void> | undefined;

  constructor(parts: ThreadParts) {
    this.#parts = parts;
  }

  get id(): string {
    return this.#parts.id;
  }

  async *runStreamed(
    input: TurnInput,
    options: RunOptions = {},
  ): AsyncGenerator<ThreadEvent, void, void> {
    if (this.#turn !== undefined) throw new Error("a turn of this thread is still running");
    const left = new AbortController();
    const timeout = new AbortController();
    const signals = [
      left.signal,
      timeout.signal,
      this.#disposed.signal,
      ...(options.signal ? [options.signal] : []),
    ];
    const signal = AbortSignal.any(signals);
    // Every tool of a turn may listen; ten are no leak.
    setMaxListeners(0, signal);
    const timer = startTimer(timeout, options.limits?.timeoutMs);
    const queue = new EventQueue<ThreadEvent>(() =>
      left.abort(new Error("nobody reads the turn any more")),
    );
    this.#queue = queue;
    const turn = this.#runInto(queue, input, { ...options, signal });
    this.#turn = turn;
    try {
      yield* queue;
    } finally {
      await turn;
      clearTimeout(timer);
      this.#turn = undefined;
    }
  }

  async run(input: TurnInput, options: RunOptions = {}): Promise<TurnResult> {
    const items: ThreadItem[] = [];
    let finalMessage: string | undefined;
    let last: TurnCompleted | TurnFailed | undefined;
    for await (const event of this.runStreamed(input, options)) {
      if (event.type === "item.completed") items.push(event.item);
      if (event.type === "item.completed" && event.item.type === "agent_message")
        finalMessage = event.item.text;
      if (event.type === "turn.completed" || event.type === "turn.failed") last = event;
    }
    if (last === undefined) throw new Error("the turn ended without its last event");
    const error = last.type === "turn.failed" ? last.error : undefined;
    return {
      status: error === undefined ? "completed" : "failed",
      finalMessage,
      items,
      usage: last.turn_usage,
      error,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed.abort(new Error("the thread was disposed"));
    await this.#turn;
    const session = await this.#session?.catch(() => undefined);
    await session?.[Symbol.asyncDispose]();
  }

  async #runInto(
    queue: EventQueue<ThreadEvent>,
    input: TurnInput,
    options: RunOptions & { signal: AbortSignal },
  ): Promise<void> {
    try {
      options.signal.throwIfAborted();
      this.#session ??= this.#parts.open((event) => this.#emit(event), options.signal);
      const session = await this.#session.catch((error: unknown) => {
        this.#session = undefined;
        throw error;
      });
      await runTurn(session, input, {
        signal: options.signal,
        limits: options.limits ?? {},
        outputSchema: options.outputSchema,
        drained: () => queue.drained(maxWaitingEvents),
      });
      queue.end();
    } catch (error) {
      queue.fail(error);
    }
  }

  #emit(event: ThreadEvent): void {
    this.#parts.onEvent?.(event);
    this.#queue?.push(event);
  }
}

function startTimer(
  controller: AbortController,
  timeoutMs: number | undefined,
): NodeJS.Timeout | undefined {
  if (timeoutMs === undefined) return undefined;
  return setTimeout(() => controller.abort(new TurnTimeout(timeoutMs)), timeoutMs);
}
