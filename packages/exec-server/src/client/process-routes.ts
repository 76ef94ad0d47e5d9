import { ClientProcess } from "./client-process.ts";
import type { ExecServerEvent } from "./exec-server-event.ts";

/** Events of processes nobody knows yet that are kept while a start is under way; more are dropped. */
const maxStrayEvents = 256;

/** Which process an event belongs to. From the answer to a start on, the id in the answer is the key. */
export class ProcessRoutes {
  readonly #processes = new Map<string, ClientProcess>();
  readonly #stray: ExecServerEvent[] = [];
  #starting = 0;

  /** Registers before the start is sent; call one of the two returned functions with what became of it. */
  expect(processId: string): {
    readonly process: ClientProcess;
    readonly started: (answeredId: string) => void;
    readonly failed: () => void;
  } {
    const process = new ClientProcess();
    this.#processes.set(processId, process);
    this.#starting += 1;
    return {
      process,
      started: (answeredId) => {
        if (answeredId !== processId) {
          this.#processes.delete(processId);
          this.#processes.set(answeredId, process);
          for (const event of this.#stray) if (event.processId === answeredId) process.apply(event);
        }
        this.#settled();
      },
      failed: () => {
        this.#processes.delete(processId);
        this.#settled();
      },
    };
  }

  /** The process the event was for, after it was applied. */
  deliver(event: ExecServerEvent): ClientProcess | undefined {
    const process = this.#processes.get(event.processId);
    if (process !== undefined) process.apply(event);
    else if (this.#starting > 0 && this.#stray.length < maxStrayEvents) this.#stray.push(event);
    return process;
  }

  has(processId: string): boolean {
    return this.#processes.has(processId);
  }

  forget(processId: string): void {
    this.#processes.delete(processId);
  }

  /** True while some process's reader is behind. */
  get isFull(): boolean {
    for (const process of this.#processes.values()) if (process.isFull) return true;
    return false;
  }

  failAll(error: Error): void {
    for (const process of this.#processes.values()) process.fail(error);
    this.#processes.clear();
  }

  #settled(): void {
    this.#starting -= 1;
    if (this.#starting === 0) this.#stray.length = 0;
  }
}
