import { AsyncQueue, Connection, type RequestOptions, type Transport } from "@codex/jsonrpc";
import {
  type ExecParams,
  type ExecResponse,
  execServerV0,
  type JsonRpcNotification,
  type ParamsOf,
  type ReadParams,
  type ReadResponse,
  type RequestDefinition,
  type ResultOf,
  type TerminateResponse,
  type WriteResponse,
  encodeBase64,
} from "@codex/protocol";
import { createV0ClientDialect } from "../dialects/v0/client-dialect.ts";
import type { ClientDialect } from "./client-dialect.ts";
import {
  callError,
  closedError,
  ExecServerError,
  initializeTimedOut,
} from "./exec-server-error.ts";
import type { ExecServerEvent } from "./exec-server-event.ts";
import { ProcessRoutes } from "./process-routes.ts";
import { RequestTimeoutError } from "@codex/jsonrpc";

export interface ExecServerClientConnectOptions {
  /** Told to the server, for its log. Default `codex-core`. */
  readonly clientName?: string;
  /** For the answer to `initialize`. Default 10,000. */
  readonly initializeTimeoutMs?: number;
  /** Gives up connecting; no effect once connected. */
  readonly signal?: AbortSignal;
}

/** Time for the whole handshake unless told otherwise, from the seed. */
export const defaultInitializeTimeoutMs = 10_000;
export const defaultClientName = "codex-core";

/** Events that wait for a subscriber before the connection is no longer read on its account. */
const eventCapacity = 4 * 1024 * 1024;

const { requests, clientNotifications } = execServerV0;

/**
 * One connection to an exec-server. Whoever connected disposes it, which ends the connection and with it, over v0,
 * the server's processes of it. After the connection has ended every pending and every later call rejects with the
 * same {@link ExecServerError} of kind `closed`.
 */
export class ExecServerClient implements AsyncDisposable {
  /** Settles when the connection has ended: undefined after a clean end, otherwise why. Never rejects. */
  readonly ended: Promise<Error | undefined>;
  readonly dialect: ClientDialect;
  readonly routes = new ProcessRoutes();
  readonly #connection: Connection;
  readonly #subscribers = new Set<AsyncQueue<ExecServerEvent>>();
  readonly #onDispose: (() => Promise<void>) | undefined;
  #awaitingAnswers = 0;
  #wakeReader: (() => void) | undefined;
  #nextProcess = 1;
  #end: ExecServerError | undefined;

  /** Performs the handshake over a transport, which it owns from here on. `onDispose` runs after the connection is closed. */
  static async open(
    transport: Transport,
    options: ExecServerClientConnectOptions & { readonly onDispose?: () => Promise<void> } = {},
  ): Promise<ExecServerClient> {
    const client = new ExecServerClient(transport, options.onDispose);
    try {
      await client.#initialize(options);
      return client;
    } catch (error) {
      await client[Symbol.asyncDispose]();
      throw error;
    }
  }

  private constructor(transport: Transport, onDispose: (() => Promise<void>) | undefined) {
    this.#onDispose = onDispose;
    this.#connection = new Connection(transport, {
      onNotification: (notification) => this.#receive(notification),
    });
    this.dialect = createV0ClientDialect(this);
    this.ended = this.#connection.ended.then((reason) => this.#fail(reason));
  }

  /** Names the peer, such as `websocket 127.0.0.1:4711`. */
  get label(): string {
    return this.#connection.label;
  }

  /** Calls that wait for their answer. */
  get pendingRequests(): number {
    return this.#connection.pendingRequests;
  }

  /** One request of either dialect's table, its failure as an {@link ExecServerError} or the signal's reason. */
  async call<Definition extends RequestDefinition>(
    definition: Definition,
    params: ParamsOf<Definition>,
    options: RequestOptions = {},
  ): Promise<ResultOf<Definition>> {
    if (this.#end !== undefined) throw this.#end;
    this.#awaitingAnswers += 1;
    this.#wakeReader?.();
    try {
      return await this.#connection.request(definition, params, options);
    } catch (error) {
      throw callError(error);
    } finally {
      this.#awaitingAnswers -= 1;
    }
  }

  /** Starts a process, as the seed's protocol says it. Its output and exit come as events. */
  exec(params: ExecParams, options?: RequestOptions): Promise<ExecResponse> {
    return this.call(requests.processStart, params, options);
  }

  read(params: ReadParams, options?: RequestOptions): Promise<ReadResponse> {
    return this.call(requests.processRead, params, options);
  }

  write(processId: string, bytes: Uint8Array, options?: RequestOptions): Promise<WriteResponse> {
    return this.call(requests.processWrite, { processId, chunk: encodeBase64(bytes) }, options);
  }

  terminate(processId: string, options?: RequestOptions): Promise<TerminateResponse> {
    return this.call(requests.processTerminate, { processId }, options);
  }

  /**
   * Everything the server tells of processes from now on, in order; any number of subscribers. Nothing is dropped:
   * while a subscriber is 4 MiB behind and no answer is awaited, the server is held back. Ends with the connection.
   */
  events(): AsyncIterable<ExecServerEvent> {
    const queue = new AsyncQueue<ExecServerEvent>({
      capacity: eventCapacity,
      onDrain: () => {
        if (queue.isEnded) this.#subscribers.delete(queue);
        this.#wakeReader?.();
      },
    });
    if (this.#end === undefined) this.#subscribers.add(queue);
    else queue.end();
    return queue;
  }

  /** A process id that was never used on this connection. */
  newProcessId(): string {
    return String(this.#nextProcess++);
  }

  /** A reader of process output has caught up: the connection may be read on. */
  readOn(): void {
    this.#wakeReader?.();
  }

  /** Ends the connection; settles when it is closed and what carries it is gone. Safe to repeat. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#wakeReader?.();
    await this.#connection[Symbol.asyncDispose]();
    await this.ended;
    await this.#onDispose?.();
  }

  async #initialize(options: ExecServerClientConnectOptions): Promise<void> {
    const {
      clientName = defaultClientName,
      initializeTimeoutMs = defaultInitializeTimeoutMs,
      signal,
    } = options;
    try {
      await this.call(
        requests.initialize,
        { clientName },
        { timeoutMs: initializeTimeoutMs, ...(signal === undefined ? {} : { signal }) },
      );
    } catch (error) {
      throw error instanceof RequestTimeoutError ? initializeTimedOut(initializeTimeoutMs) : error;
    }
    await this.#connection.notify(clientNotifications.initialized, {});
  }

  #receive(notification: JsonRpcNotification): Promise<void> | undefined {
    const event = this.dialect.event(notification);
    if (event === undefined) return undefined;
    const process = this.routes.deliver(event);
    if (event.type === "exited" && process !== undefined) {
      void this.dialect.afterExit(event.processId, process).catch(() => undefined);
    }
    const weight = event.type === "output" ? event.bytes.length + 64 : 64;
    for (const queue of this.#subscribers) queue.push(event, weight);
    return this.#isBehind() ? this.#untilCaughtUp() : undefined;
  }

  /** While somebody waits for an answer the connection is read whatever the readers do: the answer comes after. */
  #isBehind(): boolean {
    if (this.#awaitingAnswers > 0 || this.#end !== undefined) return false;
    return this.routes.isFull || [...this.#subscribers].some((queue) => queue.isFull);
  }

  async #untilCaughtUp(): Promise<void> {
    while (this.#isBehind()) {
      await new Promise<void>((resolve) => (this.#wakeReader = resolve));
    }
    this.#wakeReader = undefined;
  }

  #fail(reason: Error | undefined): Error | undefined {
    const error = callError(reason) ?? undefined;
    this.#end = error instanceof ExecServerError ? error : closedError(reason);
    this.routes.failAll(this.#end);
    for (const queue of this.#subscribers) queue.end();
    this.#subscribers.clear();
    return reason;
  }
}
