import { ClientProcess } from "./client-process.ts";
import { EventOrder } from "./event-order.ts";
import type { ExecServerEvent } from "./exec-server-event.ts";

/** Events of processes nobody knows yet that are kept while a start is under way; more are dropped. */
const maxStrayEvents = 256;

/** The place a process has before its start is sent. Call one of the functions with what became of it. */
export interface ExpectedProcess {
  readonly process: ClientProcess;
  readonly started: (answeredId: string) => void;
  readonly failed: () => void;
}

/** A process and how far its events have come, where the dialect numbers them. */
export interface ProcessRoute {
  readonly processId: string;
  readonly process: ClientProcess;
  readonly order: EventOrder;
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
  readonly #routes = new Map<string, ProcessRoute>();
  readonly #starting = new Set<string>();
  readonly #stray: ExecServerEvent[] = [];

  constructor(options: RouteOptions) {
    this.#options = options;
  }

  expect(processId: string): ExpectedProcess {
    const process = new ClientProcess(this.#options.onTaken);
    this.#routes.set(processId, { processId, process, order: new EventOrder() });
    this.#starting.add(processId);
    return {
      process,
      started: (answeredId) => {
        if (answeredId !== processId) this.#rename(processId, answeredId);
        this.#settled(processId);
        process.exit.then(
          () => this.#options.onExit(answeredId, process),
          () => undefined,
        );
      },
      failed: () => {
        this.forget(processId);
        this.#settled(processId);
      },
    };
  }

  /** Gives the events whose turn it was; one of a process that nobody expects is always that. */
  deliver(event: ExecServerEvent): readonly ExecServerEvent[] {
    const route = this.#routes.get(event.processId);
    if (route !== undefined) return applyInOrder(route, event);
    if (this.#starting.size > 0 && this.#stray.length < maxStrayEvents) this.#stray.push(event);
    return [event];
  }

  find(processId: string): ProcessRoute | undefined {
    return this.#routes.get(processId);
  }

  forget(processId: string): void {
    this.#routes.delete(processId);
  }

  get processes(): readonly ClientProcess[] {
    return Array.from(this.#routes.values(), ({ process }) => process);
  }

  /** Those whose start has been answered. */
  get started(): readonly ProcessRoute[] {
    return [...this.#routes.values()].filter(({ processId }) => !this.#starting.has(processId));
  }

  failAll(error: Error): void {
    for (const { process } of this.#routes.values()) process.fail(error);
    this.#routes.clear();
  }

  #rename(from: string, to: string): void {
    const expected = this.#routes.get(from);
    if (expected === undefined) return;
    this.#routes.delete(from);
    const route = { ...expected, processId: to };
    this.#routes.set(to, route);
    for (const event of this.#stray) if (event.processId === to) applyInOrder(route, event);
  }

  #settled(processId: string): void {
    this.#starting.delete(processId);
    if (this.#starting.size === 0) this.#stray.length = 0;
  }
}

function applyInOrder(
  { process, order }: ProcessRoute,
  event: ExecServerEvent,
): readonly ExecServerEvent[] {
  const inTurn = event.seq === undefined ? [event] : order.take(event.seq, event);
  for (const one of inTurn) process.apply(one);
  return inTurn;
}
