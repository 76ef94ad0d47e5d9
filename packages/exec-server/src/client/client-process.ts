import type { OutputChunk, ProcessExit } from "@codex/environment";
import { AsyncQueue } from "@codex/jsonrpc";
import type { ExecServerEvent } from "./exec-server-event.ts";

/** Output that waits for its reader, in bytes, before the connection is no longer read on its account. */
const outputCapacity = 1024 * 1024;

/**
 * What has arrived of one process. It is there before its start is sent, so that nothing is lost that overtakes the
 * answer. `exit` and `closed` reject with the connection's reason when that goes first.
 */
export class ClientProcess {
  readonly output: AsyncQueue<OutputChunk>;
  readonly exit: Promise<ProcessExit>;
  readonly closed: Promise<void>;
  /** Output events so far; over a dialect without numbers this is the number of the last one. */
  outputEvents = 0;
  #settle: {
    readonly exit: (exit: ProcessExit) => void;
    readonly closed: () => void;
    readonly fail: (error: Error) => void;
  };
  #hasExited = false;
  #isClosed = false;

  constructor() {
    this.output = new AsyncQueue({ capacity: outputCapacity });
    const exit = deferred<ProcessExit>();
    const closed = deferred<void>();
    this.exit = exit.promise;
    this.closed = closed.promise;
    this.#settle = {
      exit: exit.resolve,
      closed: closed.resolve,
      fail: (error) => {
        exit.reject(error);
        closed.reject(error);
      },
    };
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** True while more should not be read from the connection on this process's account. */
  get isFull(): boolean {
    return this.output.isFull;
  }

  apply(event: ExecServerEvent): void {
    switch (event.type) {
      case "output":
        this.outputEvents += 1;
        if (event.bytes.length > 0)
          this.output.push({ stream: event.stream, bytes: event.bytes }, event.bytes.length);
        return;
      case "exited":
        this.#hasExited = true;
        this.#settle.exit({
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

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.output.end();
    this.#settle.closed();
  }

  /** The connection is gone: what arrived stays readable, then everything says why. */
  fail(error: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.output.fail(error);
    this.#settle.fail(error);
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
