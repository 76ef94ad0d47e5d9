import { ClientProcess } from "./client-process.ts";
import type { ExecServerEvent } from "./exec-server-event.ts";

/** Events of processes nobody knows yet that are kept while a start is under way; more are dropped. */
const maxStrayEvents = 256;

/** The place a process has before its start is sent. Call one of the functions with what became of it. */
export interface ExpectedProcess {
  readonly process: ClientProcess;
  readonly started: (answeredId: string) => void;
  readonly failed: () => void;
}

export interface RouteOptions {
  /** A reader has moved, or has begun to wait. */
  readonly onTaken: () => void;
  /** A started process has exited. */
  readonly onExit: (processId: string, process: ClientProcess) => void;
}

/** Which process an event belongs to. From the answer to a start on, the id in the answer is the key. */
export class ProcessRoutes {
  readonly #options: RouteOptions;
  readonly #processes = new Map<string, ClientProcess>();
  readonly #stray: ExecServerEvent[] = [];
  #starting = 0;

  constructor(options: RouteOptions) {
    this.#options = options;
  }

  expect(processId: string): ExpectedProcess {
    const process = new ClientProcess(this.#options.onTaken);
    this.#processes.set(processId, process);
    this.#starting += 1;
    return {
      process,
      started: (answeredId) => {
        if (answeredId !== processId) this.#rename(process, processId, answeredId);
        this.#settled();
        process.exit.then(
          () => this.#options.onExit(answeredId, process),
          () => undefined,
        );
      },
      failed: () => {
        this.forget(processId);
        this.#settled();
      },
    };
  }

  deliver(event: ExecServerEvent): void {
    const process = this.#processes.get(event.processId);
    if (process !== undefined) process.apply(event);
    else if (this.#starting > 0 && this.#stray.length < maxStrayEvents) this.#stray.push(event);
  }

  forget(processId: string): void {
    this.#processes.delete(processId);
  }

  get processes(): Iterable<ClientProcess> {
    return this.#processes.values();
  }

  failAll(error: Error): void {
    for (const process of this.#processes.values()) process.fail(error);
    this.#processes.clear();
  }

  #rename(process: ClientProcess, from: string, to: string): void {
    this.#processes.delete(from);
    this.#processes.set(to, process);
    for (const event of this.#stray) if (event.processId === to) process.apply(event);
  }

  #settled(): void {
    this.#starting -= 1;
    if (this.#starting === 0) this.#stray.length = 0;
  }
}
