import { Connection, type RequestOptions, type Transport } from "@codex/jsonrpc";
import {
  encodeBase64,
  type ExecParams,
  type ExecResponse,
  execServerV0,
  type FsCopyParams,
  type FsCreateDirectoryParams,
  type FsGetMetadataParams,
  type FsGetMetadataResponse,
  type FsReadDirectoryParams,
  type FsReadDirectoryResponse,
  type FsReadFileParams,
  type FsReadFileResponse,
  type FsRemoveParams,
  type FsWriteFileParams,
  type JsonRpcNotification,
  type ParamsOf,
  type ReadParams,
  type ReadResponse,
  type RequestDefinition,
  type ResultOf,
  type TerminateResponse,
  type WriteResponse,
} from "@codex/protocol";
import { createV0ClientDialect } from "../dialects/v0/client-dialect.ts";
import { Backlog } from "./backlog.ts";
import type { ClientDialect } from "./client-dialect.ts";
import type { ExecServerClientConnectOptions } from "./connect-options.ts";
import { callError, endOf, type ExecServerError, fatalCause } from "./exec-server-error.ts";
import type { ExecServerEvent } from "./exec-server-event.ts";
import { performHandshake } from "./handshake.ts";
import { type ExpectedProcess, ProcessRoutes } from "./process-routes.ts";
import { ReadAhead } from "./read-ahead.ts";

/** Events that wait for a subscriber before the connection is no longer read on its account. */
const eventCapacityBytes = 4 * 1024 * 1024;

const { requests } = execServerV0;

/** What owns the client beside the connection, and knows more about its end. */
export interface ClientOwner {
  /** Runs once the connection is closed, as part of disposing. */
  readonly onDispose?: () => Promise<void>;
  /** The variables of the server's machine, where they are known: it is not asked for them then. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

/**
 * One connection to an exec-server. Whoever connected disposes it, which ends the connection and with it, over v0,
 * the server's processes of it. When the connection ends, by either side, every pending and every later call rejects
 * with the same `ExecServerError`.
 */
export class ExecServerClient implements AsyncDisposable {
  /** Settles when the connection has ended, with the error every call rejects with from then on. Never rejects. */
  readonly ended: Promise<ExecServerError>;
  readonly dialect: ClientDialect;
  readonly #connection: Connection;
  readonly #routes: ProcessRoutes;
  readonly #readAhead: ReadAhead;
  readonly #subscribers = new Set<Backlog<ExecServerEvent>>();
  readonly #owner: ClientOwner;
  #pendingCalls = 0;
  #lastProcess = 0;
  #end: ExecServerError | undefined;

  /** Performs the handshake over a transport, which the client owns from here on. */
  static async open(
    transport: Transport,
    options: ExecServerClientConnectOptions = {},
    owner: ClientOwner = {},
  ): Promise<ExecServerClient> {
    const client = new ExecServerClient(transport, owner);
    try {
      await performHandshake(client, client.#connection, options);
      return client;
    } catch (error) {
      await client[Symbol.asyncDispose]();
      throw error;
    }
  }

  private constructor(transport: Transport, owner: ClientOwner) {
    this.#owner = owner;
    this.#readAhead = new ReadAhead({
      waitingBytes: () => this.#backlogs().reduce((sum, { bytes }) => sum + bytes, 0),
      isAnyBehind: () => this.#end === undefined && this.#backlogs().some(({ isFull }) => isFull),
      isAnyWaiting: () => this.#pendingCalls > 0 || this.#isAnyReaderWaiting(),
    });
    this.#routes = new ProcessRoutes({
      onTaken: () => this.#readAhead.lookAgain(),
      onExit: (processId, process) => {
        void this.dialect
          .afterExit(processId, process)
          .finally(() => this.#routes.forget(processId));
      },
    });
    this.#connection = new Connection(transport, {
      onNotification: (notification) => this.#receive(notification),
    });
    this.dialect = createV0ClientDialect(this, owner.variables);
    this.ended = this.#connection.ended.then((reason) => this.#endWith(reason));
  }

  /** Names the peer, such as `websocket 127.0.0.1:4711`. */
  get label(): string {
    return this.#connection.label;
  }

  /** Calls that wait for their answer. */
  get pendingRequests(): number {
    return this.#connection.pendingRequests;
  }

  /** One request of a dialect's table. Rejects with an `ExecServerError` or the signal's reason; leaves nothing pending. */
  async call<Definition extends RequestDefinition>(
    definition: Definition,
    params: ParamsOf<Definition>,
    options: RequestOptions = {},
  ): Promise<ResultOf<Definition>> {
    if (this.#end !== undefined) throw this.#end;
    this.#pendingCalls += 1;
    this.#readAhead.lookAgain();
    try {
      return await this.#connection.request(definition, params, options);
    } catch (error) {
      const fatal = fatalCause(error);
      throw fatal === undefined ? callError(error) : this.#endWith(fatal.cause);
    } finally {
      this.#pendingCalls -= 1;
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

  /** Asks for the end of a process; the exit itself comes as an event. */
  terminate(processId: string, options?: RequestOptions): Promise<TerminateResponse> {
    return this.call(requests.processTerminate, { processId }, options);
  }

  fsReadFile(params: FsReadFileParams, options?: RequestOptions): Promise<FsReadFileResponse> {
    return this.call(requests.fsReadFile, params, options);
  }

  async fsWriteFile(params: FsWriteFileParams, options?: RequestOptions): Promise<void> {
    await this.call(requests.fsWriteFile, params, options);
  }

  async fsCreateDirectory(
    params: FsCreateDirectoryParams,
    options?: RequestOptions,
  ): Promise<void> {
    await this.call(requests.fsCreateDirectory, params, options);
  }

  fsGetMetadata(
    params: FsGetMetadataParams,
    options?: RequestOptions,
  ): Promise<FsGetMetadataResponse> {
    return this.call(requests.fsGetMetadata, params, options);
  }

  fsReadDirectory(
    params: FsReadDirectoryParams,
    options?: RequestOptions,
  ): Promise<FsReadDirectoryResponse> {
    return this.call(requests.fsReadDirectory, params, options);
  }

  async fsRemove(params: FsRemoveParams, options?: RequestOptions): Promise<void> {
    await this.call(requests.fsRemove, params, options);
  }

  async fsCopy(params: FsCopyParams, options?: RequestOptions): Promise<void> {
    await this.call(requests.fsCopy, params, options);
  }

  /**
   * Everything the server tells of processes from now on, in order; any number of subscribers. Nothing is dropped:
   * a subscriber that is 4 MiB behind holds the server back. Ends with the connection, or by leaving the loop.
   */
  events(): AsyncIterable<ExecServerEvent> {
    const events = new Backlog<ExecServerEvent>({
      capacityBytes: eventCapacityBytes,
      weightOf: (event) => 64 + (event.type === "output" ? event.bytes.length : 0),
      onTaken: () => {
        if (events.isLeft) this.#subscribers.delete(events);
        this.#readAhead.lookAgain();
      },
    });
    if (this.#end === undefined) this.#subscribers.add(events);
    else events.end();
    return events;
  }

  /** A place for a process with an id that was never used on this connection, to be made before its start is sent. */
  expectProcess(): ExpectedProcess & { readonly processId: string } {
    const processId = String(++this.#lastProcess);
    return { processId, ...this.#routes.expect(processId) };
  }

  /** Ends the connection; settles when it is closed and what carried it is gone. Safe to repeat. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = this.#connection[Symbol.asyncDispose]();
    this.#endWith(undefined);
    await closed;
    await this.#owner.onDispose?.();
  }

  #receive(notification: JsonRpcNotification): Promise<void> | undefined {
    const event = this.dialect.event(notification);
    if (event === undefined) return undefined;
    this.#routes.deliver(event);
    for (const subscriber of this.#subscribers) subscriber.push(event);
    return this.#readAhead.turn();
  }

  #backlogs(): { readonly bytes: number; readonly isFull: boolean }[] {
    return [...this.#subscribers, ...this.#processes().map(({ output }) => output)];
  }

  #isAnyReaderWaiting(): boolean {
    return (
      [...this.#subscribers].some(({ isAwaited }) => isAwaited) ||
      this.#processes().some(({ isAwaited }) => isAwaited)
    );
  }

  #processes() {
    return [...this.#routes.processes];
  }

  /** The first reason counts, for everybody. */
  #endWith(reason: unknown): ExecServerError {
    if (this.#end !== undefined) return this.#end;
    this.#end = endOf(reason);
    this.#routes.failAll(this.#end);
    for (const subscriber of this.#subscribers) subscriber.end();
    this.#subscribers.clear();
    this.#readAhead.lookAgain();
    void this.#connection[Symbol.asyncDispose]();
    return this.#end;
  }
}
