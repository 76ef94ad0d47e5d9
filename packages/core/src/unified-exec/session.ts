import type { OutputGap, ProcessExit, SpawnedProcess } from "@codex/environment";
import type { Clock, OutputSource } from "./collect-output.ts";
import type { CommandItem } from "./command/command-item.ts";
import { HeadTailBuffer, type RetainedOutput } from "./head-tail-buffer.ts";
import { incompleteEndLength, outputText } from "./retained-text.ts";

export interface ExecSessionOptions {
  /** What the model calls it. */
  readonly id: number;
  readonly process: SpawnedProcess;
  readonly isTerminal: boolean;
  readonly item: CommandItem;
  readonly clock: Clock;
}

/** How long output may trail the exit and still be part of the item. */
const itemGraceMs = 100;

/**
 * A running command. Its output is pulled at once and without end, so the command never waits for the model; what the
 * model has not been told yet and what its item will show are kept apart, each bounded. The item completes by itself
 * when the command has ended. Whoever made the session disposes it.
 */
export class ExecSession implements OutputSource, AsyncDisposable {
  readonly id: number;
  readonly isTerminal: boolean;
  readonly exited: Promise<ProcessExit>;
  readonly closed: Promise<unknown>;
  /** When the model last asked for it. */
  lastUsedMs: number;
  /** True from the end of the call that started it: from then on it may be pruned. */
  isInBackground = false;
  readonly #process: SpawnedProcess;
  readonly #item: CommandItem;
  readonly #clock: Clock;
  readonly #disposal = new AbortController();
  readonly #transcript = new HeadTailBuffer();
  #unread: HeadTailBuffer | undefined = new HeadTailBuffer();
  #exit: ProcessExit | undefined;

  constructor(options: ExecSessionOptions) {
    this.id = options.id;
    this.isTerminal = options.isTerminal;
    this.lastUsedMs = options.clock.now();
    this.#process = options.process;
    this.#item = options.item;
    this.#clock = options.clock;
    this.exited = this.#process.exit.then((exit) => (this.#exit = exit));
    this.closed = Promise.all([this.exited, this.#pull()]);
    this.#completeItemAtEnd();
  }

  /** Undefined while it runs. */
  get exit(): ProcessExit | undefined {
    return this.#exit;
  }

  /** What was printed since the last call, each byte once. While more may come, the bytes of a half character stay for the next call. */
  takeOutput(): RetainedOutput {
    const retained = this.#unread?.drain() ?? nothing;
    if (this.#exit !== undefined) return retained;
    const end = retained.tail.length > 0 ? "tail" : "head";
    const cut = retained[end].length - incompleteEndLength(retained[end]);
    this.#unread?.push(retained[end].subarray(cut));
    return { ...retained, [end]: retained[end].subarray(0, cut) };
  }

  /** Settles when the program's input has taken the bytes, which may be never; gives up when the session is disposed. */
  write(bytes: Uint8Array): Promise<void> {
    return this.#process.write(bytes, this.#disposal.signal);
  }

  /** What Ctrl-C does in a terminal, for a command without one. */
  interrupt(): Promise<void> {
    return this.#process.signal("SIGINT");
  }

  /** With the exit code, or null while that is unknown. Only the first time counts. */
  completeItem(): void {
    if (!this.#item.isOpen) return;
    this.#item.complete(this.#exit?.code ?? null, outputText(this.#transcript.drain()).text);
  }

  /** The model has been told the exit: nothing more is kept, though a background child may live on and print. */
  retire(): void {
    this.completeItem();
    this.#unread = undefined;
  }

  /** Ends the whole process group, gently first, and frees what it held. Its item completes. Safe to repeat; a lost machine is no error here. */
  async terminate(graceMs: number): Promise<void> {
    this.#disposal.abort();
    await this.#process.terminate({ graceMs }).catch(() => {});
    await this[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposal.abort();
    try {
      await this.#process[Symbol.asyncDispose]();
      await this.exited;
    } catch {
      // Lost, or it cannot be ended: its code stays unknown.
    }
    this.completeItem();
  }

  async #pull(): Promise<void> {
    for await (const { bytes, gapBefore } of this.#process.output) {
      if (gapBefore !== undefined) this.#take(gapNotice(gapBefore));
      this.#take(bytes);
    }
  }

  #take(bytes: Uint8Array): void {
    this.#unread?.push(bytes);
    if (this.#item.isOpen) this.#transcript.push(bytes);
  }

  #completeItemAtEnd(): void {
    const settled = new AbortController();
    const graceOver = this.exited.then(() => this.#clock.delay(itemGraceMs, settled.signal));
    void Promise.race([this.closed, graceOver])
      .catch(() => {})
      .then(() => {
        settled.abort();
        this.completeItem();
      });
    this.closed.catch(() => {});
    graceOver.catch(() => {});
  }
}

/** A line in the place of output that a cut link has swallowed. */
function gapNotice({ bytes }: OutputGap): Uint8Array {
  const what = bytes === undefined ? "output is" : `${bytes} bytes of output are`;
  return new TextEncoder().encode(`\n[${what} missing here: the connection was cut]\n`);
}

const nothing: RetainedOutput = {
  head: new Uint8Array(0),
  tail: new Uint8Array(0),
  omittedBytes: 0,
};
