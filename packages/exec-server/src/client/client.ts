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
import type { ClientDialect } from "./client-dialect.ts";
import type { ExecServerClientConnectOptions } from "./connect-options.ts";
import { callError, endOf, type ExecServerError, fatalCause } from "./exec-server-error.ts";
import type { ExecServerEvent } from "./exec-server-event.ts";
import { Heartbeat } from "./heartbeat.ts";
import { performHandshake } from "./handshake.ts";
import { Inbox } from "./inbox.ts";
import type { ExpectedProcess } from "./process-routes.ts";

const { requests } = execServerV0;

/** What owns the client beside the connection, and knows more about its end. */
export interface ClientOwner {
  /** Runs once the connection is closed, as part of disposing. */
  readonly onDispose?: () => Promise<void>;
  /** The variables of the server's machine, where they are known: it is not asked for them then. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** For a transport that cannot tell a silent server from a dead one; see {@link Heartbeat}. */
  readonly heartbeatMs?: number;
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
  readonly #inbox: Inbox;
  readonly #owner: ClientOwner;
  #heartbeat: Heartbeat | undefined;
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
      client.#watch(owner.heartbeatMs);
      return client;
    } catch (error) {
      await client[Symbol.asyncDispose]();
      throw error;
    }
  }

  private constructor(transport: Transport, owner: ClientOwner) {
    this.#owner = owner;
    this.#inbox = new Inbox({
      isAnswerAwaited: () => this.#pendingCalls > 0,
      afterExit: (processId, process) => this.dialect.afterExit(processId, process),
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
    this.#inbox.lookAgain();
    try {
      return await this.#connection.request(definition, params, options);
    } catch (error) {
      const fatal = fatalCause(error);
      throw fatal === undefined ? callError(error) : this.#endWith(fatal.cause);
    } finally {
      this.#pendingCalls -= 1;
      // An abort is no answer, but it comes once a call.
      this.#heartbeat?.heard();
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
    return this.#inbox.subscribe();
  }

  /** A place for a process with an id that was never used on this connection, to be made before its start is sent. */
  expectProcess(): ExpectedProcess & { readonly processId: string } {
    const processId = String(++this.#lastProcess);
    return { processId, ...this.#inbox.expect(processId) };
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
    this.#heartbeat?.heard();
    return event === undefined ? undefined : this.#inbox.deliver(event);
  }

  #watch(heartbeatMs: number | undefined): void {
    if (heartbeatMs === undefined || this.#end !== undefined) return;
    this.#heartbeat = new Heartbeat(heartbeatMs, {
      isListening: () =>
        !this.#inbox.isHeldBack && (this.#pendingCalls > 0 || this.#inbox.hasProcesses),
      // Ending a process always gets through, and there is none of this name.
      ask: () => void this.terminate("").catch(() => undefined),
      giveUp: (error) => this.#endWith(error),
    });
  }

  /** The first reason counts, for everybody. */
  #endWith(reason: unknown): ExecServerError {
    if (this.#end !== undefined) return this.#end;
    this.#end = endOf(reason);
    this.#heartbeat?.stop();
    this.#inbox.end(this.#end);
    void this.#connection[Symbol.asyncDispose]();
    return this.#end;
  }
}
