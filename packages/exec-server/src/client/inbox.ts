import { Backlog } from "./backlog.ts";
import type { ClientProcess } from "./client-process.ts";
import type { ExecServerEvent } from "./exec-server-event.ts";
import { type ExpectedProcess, type ProcessRoute, ProcessRoutes } from "./process-routes.ts";
import { ReadAhead } from "./read-ahead.ts";

/** Events that wait for a subscriber before the connection is no longer read on its account. */
const eventCapacityBytes = 4 * 1024 * 1024;

export interface InboxOptions {
  /** Some call waits for its answer. */
  readonly isAnswerAwaited: () => boolean;
  /** A started process has exited; settles when nothing more is expected of it. */
  readonly afterExit: (processId: string, process: ClientProcess) => Promise<void>;
}

/** What the server tells of its own accord, and everybody who reads it: processes by their id, subscribers of all. */
export class Inbox {
  readonly #routes: ProcessRoutes;
  readonly #readAhead: ReadAhead;
  readonly #subscribers = new Set<Backlog<ExecServerEvent>>();
  #isEnded = false;

  constructor({ isAnswerAwaited, afterExit }: InboxOptions) {
    this.#readAhead = new ReadAhead({
      waitingBytes: () => this.#backlogs().reduce((sum, { bytes }) => sum + bytes, 0),
      isAnyBehind: () => !this.#isEnded && this.#backlogs().some(({ isFull }) => isFull),
      isAnyWaiting: () => isAnswerAwaited() || this.#isAnyReaderWaiting(),
    });
    this.#routes = new ProcessRoutes({
      onTaken: () => this.lookAgain(),
      onExit: (processId, process) => {
        void afterExit(processId, process).finally(() => this.#routes.forget(processId));
      },
    });
  }

  /** The connection is not read because a reader is behind. */
  get isHeldBack(): boolean {
    return this.#readAhead.isHeldBack;
  }

  /** Some process has been started, or is being started, and is not closed. */
  get hasProcesses(): boolean {
    return this.#routes.processes.length > 0;
  }

  /** Hands an event to everybody it is for. A returned promise settles when the next message may be read. */
  deliver(event: ExecServerEvent): Promise<void> | undefined {
    for (const inTurn of this.#routes.deliver(event)) this.#publish(inTurn);
    return this.#readAhead.turn();
  }

  /** Hands on what was not pushed but read, or was waiting for that; its place is settled already. */
  deliverRead(route: ProcessRoute, events: readonly ExecServerEvent[]): void {
    for (const event of events) {
      route.process.apply(event);
      this.#publish(event);
    }
  }

  /** Processes whose start has been answered and whose end has not come. */
  get started(): readonly ProcessRoute[] {
    return this.#routes.started;
  }

  find(processId: string): ProcessRoute | undefined {
    return this.#routes.find(processId);
  }

  /** To be called when somebody begins to wait for an answer. */
  lookAgain(): void {
    this.#readAhead.lookAgain();
  }

  expect(processId: string): ExpectedProcess {
    return this.#routes.expect(processId);
  }

  subscribe(): AsyncIterable<ExecServerEvent> {
    const events = new Backlog<ExecServerEvent>({
      capacityBytes: eventCapacityBytes,
      weightOf: (event) => 64 + (event.type === "output" ? event.bytes.length : 0),
      onTaken: () => {
        if (events.isLeft) this.#subscribers.delete(events);
        this.lookAgain();
      },
    });
    if (this.#isEnded) events.end();
    else this.#subscribers.add(events);
    return events;
  }

  /** Nothing more comes: processes fail with the error, subscribers end. */
  end(error: Error): void {
    this.#isEnded = true;
    this.#routes.failAll(error);
    for (const subscriber of this.#subscribers) subscriber.end();
    this.#subscribers.clear();
    this.lookAgain();
  }

  #publish(event: ExecServerEvent): void {
    for (const subscriber of this.#subscribers) subscriber.push(event);
  }

  #backlogs(): { readonly bytes: number; readonly isFull: boolean }[] {
    return [...this.#subscribers, ...this.#routes.processes.map(({ output }) => output)];
  }

  #isAnyReaderWaiting(): boolean {
    return (
      [...this.#subscribers].some(({ isAwaited }) => isAwaited) ||
      this.#routes.processes.some(({ isAwaited }) => isAwaited)
    );
  }
}
