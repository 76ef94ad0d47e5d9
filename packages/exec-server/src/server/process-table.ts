import type { SpawnedProcess } from "@codex/pty";
import type { Clock } from "./clock.ts";
import type { ServerLimits } from "./limits.ts";
import { type LogPage, OutputLog } from "./output-log.ts";
import { type ProcessListener, ServedProcess } from "./served-process.ts";

interface ProcessTableOptions {
  readonly limits: ServerLimits;
  readonly clock: Clock;
  /** How long after its exit a process stays known, and its id reserved. */
  readonly retentionMs: number;
  readonly listener: ProcessListener;
}

export interface StartOptions {
  readonly isTerminal: boolean;
  readonly hasInput: boolean;
  /** Starts it; called once, when the id has been reserved. */
  readonly spawn: () => Promise<SpawnedProcess>;
  /** Nothing is told about the process before this settles. */
  readonly after: Promise<void>;
}

export interface ReadOptions {
  readonly afterSeq: number;
  readonly maxBytes: number;
  readonly waitMs: number;
  /** Ends the wait when nobody is there any more to hear of it. */
  readonly signal?: AbortSignal;
  /** Whether a page is worth answering before the wait is over. */
  readonly isNews: (page: LogPage) => boolean;
}

export type ProcessTableErrorKind =
  | "duplicate" // the id is in use, or was until a moment ago
  | "unknown"
  | "limit"
  | "closed"; // the table is being disposed

/** A call that the table refuses. Failures of the process itself are `ProcessError`s. */
export class ProcessTableError extends Error {
  override readonly name = "ProcessTableError";
  readonly kind: ProcessTableErrorKind;

  constructor(kind: ProcessTableErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

interface Entry {
  /** Rejects when it could not be started. */
  readonly ready: Promise<ServedProcess>;
  /** Undefined while it is being started. */
  process: ServedProcess | undefined;
  hasExited: boolean;
  isTerminated: boolean;
}

/** The processes of one client by the ids it chose, from the moment one is asked for until its retention is over. Disposing ends them all. */
export class ProcessTable implements AsyncDisposable {
  readonly #options: ProcessTableOptions;
  readonly #entries = new Map<string, Entry>();
  /** Also those whose id is free again while a descendant still holds their streams. */
  readonly #alive = new Set<ServedProcess>();
  readonly #forget = new Set<() => void>();
  #notEnded = 0;
  #isClosing = false;

  constructor(options: ProcessTableOptions) {
    this.#options = options;
  }

  has(processId: string): boolean {
    return this.#entries.has(processId);
  }

  /** Reserves the id at once, then starts. When that fails the id is free again and the error is the caller's. */
  async start(processId: string, options: StartOptions): Promise<void> {
    this.#check(processId);
    const ready = this.#start(processId, options);
    // A caller that waits for it hears of the failure; nobody else needs to.
    ready.catch(() => undefined);
    const entry: Entry = { ready, process: undefined, hasExited: false, isTerminated: false };
    this.#entries.set(processId, entry);
    try {
      entry.process = await ready;
    } catch (error) {
      if (this.#entries.get(processId) === entry) this.#entries.delete(processId);
      throw error;
    }
    this.#follow(processId, entry, entry.process);
    if (entry.isTerminated) void entry.process.terminate().catch(() => undefined);
  }

  /** Waits for news, at most `waitMs`, or until the signal is aborted or the table is disposed. */
  async read(processId: string, options: ReadOptions): Promise<LogPage> {
    const { afterSeq, maxBytes, waitMs, isNews, signal } = options;
    const { log } = await this.#find(processId);
    let page = log.read(afterSeq, maxBytes);
    if (waitMs === 0 || isNews(page) || this.#isClosing) return page;
    let isOver = false;
    const endWait = () => {
      isOver = true;
      log.wake();
    };
    const stopWaiting = this.#options.clock.after(waitMs, endWait);
    signal?.addEventListener("abort", endWait, { once: true });
    while (!isOver && !this.#isClosing && !isNews(page)) {
      await log.news();
      page = log.read(afterSeq, maxBytes);
    }
    stopWaiting();
    signal?.removeEventListener("abort", endWait);
    return page;
  }

  /** The process of an id, once it has started. */
  async find(processId: string): Promise<ServedProcess> {
    return this.#find(processId);
  }

  /** All that are known, in the order of their starts; `process` is undefined while it is being started. */
  list(): { readonly processId: string; readonly process: ServedProcess | undefined }[] {
    return [...this.#entries].map(([processId, { process }]) => ({ processId, process }));
  }

  /**
   * SIGKILL to its group, `graceMs` after SIGTERM if there is a grace. Tells what there was to end; a process that is
   * being started ends as soon as it has.
   */
  terminate(processId: string, graceMs = 0): "unknown" | "running" | "ended" {
    const entry = this.#entries.get(processId);
    if (entry === undefined) return "unknown";
    entry.isTerminated = true;
    void entry.process?.terminate(graceMs).catch(() => undefined);
    return entry.hasExited ? "ended" : "running";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    const { shutdownGraceMs } = this.#options.limits;
    for (const { process } of this.#entries.values()) process?.log.wake();
    await Promise.allSettled([...this.#entries.values()].map(({ ready }) => ready));
    await Promise.allSettled([...this.#alive].map((process) => process.dispose(shutdownGraceMs)));
    for (const forget of this.#forget) forget();
    this.#entries.clear();
  }

  #check(processId: string): void {
    if (this.#isClosing) throw new ProcessTableError("closed", "the connection is closing");
    if (this.has(processId))
      throw new ProcessTableError("duplicate", `process ${processId} already exists`);
    const { maxProcesses } = this.#options.limits;
    if (this.#notEnded >= maxProcesses)
      throw new ProcessTableError("limit", `too many processes: the limit is ${maxProcesses}`);
  }

  async #start(processId: string, options: StartOptions): Promise<ServedProcess> {
    const { limits, clock, listener } = this.#options;
    this.#notEnded += 1;
    try {
      const process = await options.spawn();
      const { isTerminal, hasInput, after } = options;
      const log = new OutputLog(limits);
      const served = { processId, process, isTerminal, hasInput, log, clock, listener };
      return this.#adopt(new ServedProcess(served, after));
    } catch (error) {
      this.#notEnded -= 1;
      throw error;
    }
  }

  #adopt(process: ServedProcess): ServedProcess {
    this.#alive.add(process);
    void process.closed.then(() => this.#alive.delete(process));
    return process;
  }

  /** Counts it out at its exit and forgets it when its retention is over. */
  #follow(processId: string, entry: Entry, process: ServedProcess): void {
    void process.exited.then(() => {
      this.#notEnded -= 1;
      entry.hasExited = true;
      const stop = this.#options.clock.after(this.#options.retentionMs, () => {
        this.#forget.delete(stop);
        this.#entries.delete(processId);
      });
      this.#forget.add(stop);
    });
  }

  #find(processId: string): Promise<ServedProcess> {
    const unknown = () => new ProcessTableError("unknown", `unknown process id ${processId}`);
    const entry = this.#entries.get(processId);
    if (entry === undefined) return Promise.reject(unknown());
    if (entry.process !== undefined) return Promise.resolve(entry.process);
    return entry.ready.catch(() => {
      throw unknown();
    });
  }
}
