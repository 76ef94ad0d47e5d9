import type { OutputChunk, OutputGap, OutputStream, ProcessExit } from "@codex/environment";
import { Backlog } from "./backlog.ts";
import type { ExecServerEvent } from "./exec-server-event.ts";

/** Output that waits for its reader before the connection is no longer read on its account. */
const outputCapacityBytes = 1024 * 1024;
/** The largest chunk a process hands out, whatever the server sends. */
const maxChunkBytes = 64 * 1024;

/**
 * What has arrived of one process. It is there before its start is sent, so that nothing is lost that overtakes the
 * answer. `exit` and `closed` reject with the connection's reason when that goes first, and then no code is made up.
 */
export class ClientProcess {
  readonly output: Backlog<OutputChunk>;
  readonly exit: Promise<ProcessExit>;
  /** Settles when all that will ever arrive is there and has been taken. */
  readonly closed: Promise<void>;
  /** Settles when nothing more will arrive; rejects with the connection's reason when that goes first. */
  readonly arrived: Promise<void>;
  /** Output events so far; over a dialect without numbers this is the number of the last one. */
  outputEvents = 0;
  /** Bytes of output that were printed so far, as far as is known here: those that came and those that are gone. */
  knownBytes = 0;
  readonly #exit = deferred<ProcessExit>();
  readonly #arrived = deferred<void>();
  readonly #onTaken: () => void;
  #gap: OutputGap | undefined;
  #isEndAwaited = false;
  #hasExited = false;
  #isClosed = false;

  /** `onTaken` is called when a reader has moved, or has begun to wait. */
  constructor(onTaken: () => void) {
    this.#onTaken = onTaken;
    this.output = new Backlog({
      capacityBytes: outputCapacityBytes,
      weightOf: ({ bytes }) => bytes.length,
      onTaken,
    });
    this.exit = this.#exit.promise;
    this.arrived = this.#arrived.promise;
    this.closed = this.#arrived.promise.then(() => this.output.drained);
    this.closed.catch(() => undefined);
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** True while somebody waits for what only the connection can bring. */
  get isAwaited(): boolean {
    if (this.#isClosed || this.output.isFull) return false;
    return this.#isEndAwaited || this.output.isAwaited;
  }

  /** Somebody wants to know how it ends. */
  awaitEnd(): void {
    this.#isEndAwaited = true;
    this.#onTaken();
  }

  apply(event: ExecServerEvent): void {
    switch (event.type) {
      case "output":
        this.outputEvents += 1;
        this.knownBytes += event.bytes.length;
        this.#push(event.stream, event.bytes);
        return;
      case "exited":
        this.#hasExited = true;
        this.#exit.resolve({
          code: event.exitCode,
          ...(event.signal === undefined ? {} : { signal: event.signal }),
          ...(event.sandboxDenied === undefined ? {} : { sandboxDenied: event.sandboxDenied }),
        });
        return;
      case "closed":
        this.close();
        return;
    }
  }

  /** Output is gone that was printed before what comes next. */
  markGap(gap: OutputGap): void {
    this.knownBytes += gap.bytes ?? 0;
    this.#gap = gap;
  }

  /** Nothing more will arrive. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.output.end();
    this.#arrived.resolve();
  }

  /** The connection is gone: what arrived stays readable, then everything says why. */
  fail(error: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.output.fail(error);
    this.#exit.reject(error);
    this.#arrived.reject(error);
  }

  #push(stream: OutputStream, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += maxChunkBytes) {
      const gap = this.#gap && { gapBefore: this.#gap };
      this.#gap = undefined;
      this.output.push({ stream, bytes: bytes.subarray(at, at + maxChunkBytes), ...gap });
    }
  }
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((whenDone, whenFailed) => {
    resolve = whenDone;
    reject = whenFailed;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
