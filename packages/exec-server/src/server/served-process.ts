import {
  type OutputChunk,
  ProcessError,
  type ProcessSignal,
  type SpawnedProcess,
  type TerminalSize,
} from "@codex/pty";
import type { Clock } from "./clock.ts";
import { coalesceOutput, terminalWindow } from "./coalesce-output.ts";
import type { OutputLog, OutputRecord, ProcessOutcome } from "./output-log.ts";

/**
 * Whoever follows processes. Each promise is awaited before anything else of that process is told: one that stays
 * pending holds the program back. Rejecting means "not interested": the process goes on.
 */
export interface ProcessListener {
  output(processId: string, record: OutputRecord): Promise<void>;
  /** After all output the program itself wrote. */
  exited(processId: string, outcome: ProcessOutcome, seq: number): Promise<void>;
  /** Nothing more will be told. */
  closed(processId: string, seq: number): Promise<void>;
}

interface ServedProcessOptions {
  readonly processId: string;
  readonly process: SpawnedProcess;
  readonly isTerminal: boolean;
  /** Whether writes are taken: a terminal's always, a pipe's when it was asked for. */
  readonly hasInput: boolean;
  readonly log: OutputLog;
  readonly clock: Clock;
  readonly listener: ProcessListener;
}

/** How long the streams must be silent after the exit before a descendant's hold on them is no longer waited for. */
const quietMs = 50;

/** After the exit at most this much can be the program's own: what a pipe at its largest and our queue hold. */
const tailBytes = 2 * 1024 * 1024;

/** Input that was accepted and not yet handed over, at most; a write over it is answered when it has gone. */
const acceptedInputBytes = 256 * 1024;

/** A process with its log: pumps output from one to the other and to the listener, one chunk at a time. */
export class ServedProcess {
  readonly isTerminal: boolean;
  readonly log: OutputLog;
  /** Settles when the exit has been recorded and told. */
  readonly exited: Promise<void>;
  /** Settles when the close has. */
  readonly closed: Promise<void>;
  readonly #options: ServedProcessOptions;
  #forwardedBytes = 0;
  #isPulling = false;
  #hasOutputEnded = false;
  #onOutputEnd: () => void = () => {};
  #waitingInputBytes = 0;
  #inputFailure: unknown;
  #isInputOpen: boolean;

  /** Nothing is told before `after` settles. */
  constructor(options: ServedProcessOptions, after: Promise<void>) {
    this.#options = options;
    this.isTerminal = options.isTerminal;
    this.#isInputOpen = options.hasInput;
    this.log = options.log;
    const pumped = after.then(() => this.#pump());
    this.exited = after.then(() => this.#settleExit());
    this.closed = Promise.all([this.exited, pumped]).then(() => this.#settleClose());
  }

  /** False before the start for a pipe that was not asked for, and once the input was closed or the process has exited. */
  get isInputOpen(): boolean {
    return this.#isInputOpen && !this.log.hasExited;
  }

  /** Settles when the input has been handed over, or at once while little waits. Rejects when the input is gone. */
  async write(bytes: Uint8Array): Promise<void> {
    if (this.#inputFailure !== undefined) throw this.#inputFailure;
    if (this.log.hasExited) throw new ProcessError("stdinClosed", "the process has exited");
    this.#waitingInputBytes += bytes.byteLength;
    const written = this.#options.process.write(bytes).then(
      () => this.#inputLeft(bytes),
      (error: unknown) => {
        this.#inputLeft(bytes);
        this.#inputFailure = error;
        throw error;
      },
    );
    if (this.#waitingInputBytes > acceptedInputBytes) return written;
    await Promise.race([written, oneTurn()]);
    // It may still fail; then the next write says so.
    written.catch(() => undefined);
  }

  /** SIGKILL to the whole group, also when only descendants are left. */
  terminate(graceMs = 0): Promise<void> {
    return this.#options.process.terminate({ graceMs });
  }

  signal(name: ProcessSignal): Promise<void> {
    return this.#options.process.signal(name);
  }

  resize(size: TerminalSize): Promise<void> {
    return this.#options.process.resize(size);
  }

  /** The end of a pipe's input, after what was written. */
  async closeStdin(): Promise<void> {
    await this.#options.process.closeStdin();
    this.#isInputOpen = false;
  }

  /** Ends the process and everything of it. */
  async dispose(graceMs: number): Promise<void> {
    if (graceMs > 0) await this.terminate(graceMs).catch(() => undefined);
    await this.#options.process[Symbol.asyncDispose]();
  }

  async #pump(): Promise<void> {
    const { processId, listener, log } = this.#options;
    try {
      this.#isPulling = true;
      for await (const chunk of this.#chunks()) {
        this.#isPulling = false;
        await listener.output(processId, log.append(chunk)).catch(() => undefined);
        this.#forwardedBytes += chunk.bytes.byteLength;
        this.#isPulling = true;
      }
    } catch {
      // The side that runs it is lost; the exit says so.
    }
    this.#hasOutputEnded = true;
    this.#onOutputEnd();
  }

  #chunks(): AsyncIterable<OutputChunk> {
    const { process, isTerminal, clock } = this.#options;
    if (!isTerminal) return process.output;
    return coalesceOutput(process.output, { clock, ...terminalWindow });
  }

  async #settleExit(): Promise<void> {
    const { process, processId, listener, log } = this.#options;
    const outcome = await process.exit.catch(outcomeOfLoss);
    await this.#outputBeforeExit();
    const seq = log.markExited(outcome);
    await listener.exited(processId, outcome, seq).catch(() => undefined);
  }

  async #settleClose(): Promise<void> {
    const { process, processId, listener, log } = this.#options;
    await process.closed.catch(() => undefined);
    await listener.closed(processId, log.markClosed()).catch(() => undefined);
  }

  /** Settles when the streams have ended, have been silent while we were reading, or have told more than the program can have left. */
  #outputBeforeExit(): Promise<void> {
    if (this.#hasOutputEnded) return Promise.resolve();
    const forwardedAtExit = this.#forwardedBytes;
    return new Promise((resolve) => {
      let stopWaiting: () => void = () => {};
      const look = (silentSince: number | undefined) => {
        const forwarded = this.#forwardedBytes;
        const isSilent = this.#isPulling && forwarded === silentSince;
        if (isSilent || this.#hasOutputEnded || forwarded - forwardedAtExit > tailBytes)
          return resolve();
        // A loop that was held up must read before it may call the streams silent: two turns see to that.
        stopWaiting = this.#options.clock.after(quietMs, () =>
          setImmediate(() => setImmediate(() => look(this.#isPulling ? forwarded : undefined))),
        );
      };
      this.#onOutputEnd = () => {
        stopWaiting();
        resolve();
      };
      look(undefined);
    });
  }

  #inputLeft(bytes: Uint8Array): void {
    this.#waitingInputBytes -= bytes.byteLength;
  }
}

function outcomeOfLoss(error: unknown): ProcessOutcome {
  return { code: undefined, failure: error instanceof Error ? error.message : String(error) };
}

function oneTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
