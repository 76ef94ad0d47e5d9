import type { RequestOptions, Transport } from "@codex/jsonrpc";
import { settleWithin } from "@codex/jsonrpc";
import type {
  ExecParams,
  ExecResponse,
  FsCopyParams,
  FsCreateDirectoryParams,
  FsGetMetadataParams,
  FsGetMetadataResponse,
  FsReadDirectoryParams,
  FsReadDirectoryResponse,
  FsReadFileParams,
  FsReadFileResponse,
  FsRemoveParams,
  FsWriteFileParams,
  JsonRpcNotification,
  NotificationDefinition,
  ParamsOf,
  ReadParams,
  ReadResponse,
  RequestDefinition,
  ResultOf,
  TerminateResponse,
  WriteResponse,
} from "@codex/protocol";
import { createCurrentClientDialect } from "../dialects/current/client-dialect.ts";
import { createV0ClientDialect } from "../dialects/v0/client-dialect.ts";
import type { ClientDialect } from "./client-dialect.ts";
import type { ExecServerClientConnectOptions } from "./connect-options.ts";
import type { ExecServerError } from "./exec-server-error.ts";
import type { ExecServerEvent } from "./exec-server-event.ts";
import type { Greeting } from "./handshake.ts";
import { Heartbeat } from "./heartbeat.ts";
import { Inbox } from "./inbox.ts";
import { Link } from "./link.ts";
import { isLostConnection } from "./lost-error.ts";
import type { ExpectedProcess, ProcessRoute } from "./process-routes.ts";
import type { ReconnectOptions } from "./reconnect.ts";

/** What owns the client beside the connection, and knows more about its end. */
export interface ClientOwner {
  /** Runs once the connection is closed, as part of disposing. */
  readonly onDispose?: () => Promise<void>;
  /** The variables of the server's machine, where they are known: it is not asked for them then. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** For a transport that cannot tell a silent server from a dead one; see {@link Heartbeat}. */
  readonly heartbeatMs?: number;
  /** How to get back to the session after a cut; left out, a cut is the end. */
  readonly reconnect?: ReconnectOptions;
}

/** A cut, why, and what became of it; nothing comes after `gaveUp`. */
export type LinkChange =
  | { readonly state: "lost" | "gaveUp"; readonly error: ExecServerError }
  | { readonly state: "resumed"; readonly error: undefined };

/** How long disposing waits for the server to end the session; without a word it does so after its grace. */
const farewellMs = 2_000;

/**
 * One session with an exec-server, over one connection after the other where the transport can be opened again and
 * the server speaks the present form. Whoever connected disposes it, which ends the connection and the server's
 * processes of it. When it has ended, by either side, every pending and every later call rejects with the same
 * `ExecServerError`.
 */
export class ExecServerClient implements AsyncDisposable {
  /** Settles when the session has ended, with the error every call rejects with from then on. Never rejects. */
  readonly ended: Promise<ExecServerError>;
  readonly #link: Link;
  readonly #inbox: Inbox;
  readonly #owner: ClientOwner;
  /** Aborted when there is nobody to say goodbye to. */
  #farewell = new AbortController();
  readonly #listeners = new Set<(change: LinkChange) => void>();
  readonly #catchingUp = new Map<ProcessRoute, Promise<void>>();
  #dialect: ClientDialect | undefined;
  #heartbeat: Heartbeat | undefined;
  #isDisposed = false;
  #pendingCalls = 0;
  #lastProcess = 0;

  /** Performs the handshake over a transport, which the client owns from here on. */
  static async open(
    transport: Transport,
    options: ExecServerClientConnectOptions = {},
    owner: ClientOwner = {},
  ): Promise<ExecServerClient> {
    const client = new ExecServerClient(transport, options, owner);
    try {
      client.#dialect = client.#dialectOf(await client.#link.greet());
      client.#watch(owner.heartbeatMs);
      return client;
    } catch (error) {
      await client[Symbol.asyncDispose]();
      throw error;
    }
  }

  private constructor(
    transport: Transport,
    connect: ExecServerClientConnectOptions,
    owner: ClientOwner,
  ) {
    this.#owner = owner;
    this.#inbox = new Inbox({
      isAnswerAwaited: () => this.#pendingCalls > 0 || this.#dialect === undefined,
      afterExit: (processId, process) => this.dialect.afterExit(processId, process),
    });
    this.#link = new Link(transport, {
      connect,
      reconnect: owner.reconnect,
      onNotification: (notification) => this.#receive(notification),
      onCut: (error) => {
        this.#farewell.abort();
        this.#tell({ state: "lost", error });
      },
      onResumed: () => this.#resumed(),
      onEnd: (error) => this.#ended(error),
    });
    this.ended = this.#link.ended;
  }

  /** What the server speaks, as its answer to `initialize` said. */
  get dialect(): ClientDialect {
    if (this.#dialect === undefined) throw new Error("the handshake is not done");
    return this.#dialect;
  }

  /** Names the peer, such as `websocket 127.0.0.1:4711`. */
  get label(): string {
    return this.#link.label;
  }

  /** Calls that wait for their answer. */
  get pendingRequests(): number {
    return this.#link.pendingRequests;
  }

  /** One request of a dialect's table. Rejects with an `ExecServerError` or the signal's reason; leaves nothing pending. */
  async call<Definition extends RequestDefinition>(
    definition: Definition,
    params: ParamsOf<Definition>,
    options: RequestOptions = {},
  ): Promise<ResultOf<Definition>> {
    if (this.#link.end !== undefined) throw this.#link.end;
    this.#pendingCalls += 1;
    this.#inbox.lookAgain();
    try {
      return await this.#link.request(definition, params, options);
    } finally {
      this.#pendingCalls -= 1;
      // An abort is no answer, but it comes once a call.
      this.#heartbeat?.heard();
    }
  }

  /** A notification, which nobody hears while the link is cut. */
  notify<Definition extends NotificationDefinition>(
    definition: Definition,
    params: ParamsOf<Definition>,
  ): void {
    this.#link.notify(definition, params);
  }

  /** Tells about cuts from now on. Returns a function that stops telling. */
  onLinkChange(listener: (change: LinkChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Fetches what an expected process has said so far. Rejects with the server's refusal when it does not know it. */
  async catchUp(processId: string): Promise<void> {
    const route = this.#inbox.find(processId);
    if (route !== undefined) await this.#catchUp(route);
  }

  /** Starts a process, as the seed's protocol says it. Its output and exit come as events. */
  exec(params: ExecParams, options?: RequestOptions): Promise<ExecResponse> {
    return this.dialect.seedCalls.exec(params, options);
  }

  read(params: ReadParams, options?: RequestOptions): Promise<ReadResponse> {
    return this.dialect.seedCalls.read(params, options);
  }

  write(processId: string, bytes: Uint8Array, options?: RequestOptions): Promise<WriteResponse> {
    return this.dialect.seedCalls.write(processId, bytes, options);
  }

  /** Asks for the end of a process; the exit itself comes as an event. */
  terminate(processId: string, options?: RequestOptions): Promise<TerminateResponse> {
    return this.dialect.seedCalls.terminate(processId, options);
  }

  fsReadFile(params: FsReadFileParams, options?: RequestOptions): Promise<FsReadFileResponse> {
    return this.dialect.seedCalls.fsReadFile(params, options);
  }

  async fsWriteFile(params: FsWriteFileParams, options?: RequestOptions): Promise<void> {
    await this.dialect.seedCalls.fsWriteFile(params, options);
  }

  async fsCreateDirectory(
    params: FsCreateDirectoryParams,
    options?: RequestOptions,
  ): Promise<void> {
    await this.dialect.seedCalls.fsCreateDirectory(params, options);
  }

  fsGetMetadata(
    params: FsGetMetadataParams,
    options?: RequestOptions,
  ): Promise<FsGetMetadataResponse> {
    return this.dialect.seedCalls.fsGetMetadata(params, options);
  }

  fsReadDirectory(
    params: FsReadDirectoryParams,
    options?: RequestOptions,
  ): Promise<FsReadDirectoryResponse> {
    return this.dialect.seedCalls.fsReadDirectory(params, options);
  }

  async fsRemove(params: FsRemoveParams, options?: RequestOptions): Promise<void> {
    await this.dialect.seedCalls.fsRemove(params, options);
  }

  async fsCopy(params: FsCopyParams, options?: RequestOptions): Promise<void> {
    await this.dialect.seedCalls.fsCopy(params, options);
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

  /** Ends the session; settles when the connection is closed and what carried it is gone. Safe to repeat. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isDisposed) await this.#sayGoodbye();
    await this.#link[Symbol.asyncDispose]();
    await this.#owner.onDispose?.();
  }

  #dialectOf(greeting: Greeting): ClientDialect {
    return greeting.dialect === "v0"
      ? createV0ClientDialect(this, this.#owner.variables)
      : createCurrentClientDialect(this, greeting.answer);
  }

  async #sayGoodbye(): Promise<void> {
    this.#isDisposed = true;
    const { end, isCut } = this.#link;
    if (end !== undefined || isCut || this.#dialect?.end === undefined) return;
    const { signal } = (this.#farewell = new AbortController());
    await settleWithin(
      this.#dialect.end(signal).catch(() => undefined),
      farewellMs,
    );
  }

  #receive(notification: JsonRpcNotification): Promise<void> | undefined {
    const event = this.#dialect?.event(notification);
    this.#heartbeat?.heard();
    if (event === undefined) return undefined;
    const readOn = this.#inbox.deliver(event);
    const route = this.#inbox.find(event.processId);
    this.#dialect?.delivered?.(event, route);
    if (route?.order.hasGap === true) this.#catchUpOrFail(route);
    return readOn;
  }

  #watch(heartbeatMs: number | undefined): void {
    if (heartbeatMs === undefined || this.#link.end !== undefined) return;
    this.#heartbeat = new Heartbeat(heartbeatMs, {
      isListening: () =>
        !this.#inbox.isHeldBack && (this.#pendingCalls > 0 || this.#inbox.hasProcesses),
      ask: () => void this.dialect.ask().catch(() => undefined),
      giveUp: (error) => this.#link.endWith(error),
    });
  }

  #resumed(): void {
    for (const route of this.#inbox.started) this.#catchUpOrFail(route);
    this.#tell({ state: "resumed", error: undefined });
  }

  /** A process that cannot be caught up with is lost, and nothing else. */
  #catchUpOrFail(route: ProcessRoute): void {
    this.#catchUp(route).catch((error: unknown) => {
      if (!isLostConnection(error)) route.process.fail(error as Error);
    });
  }

  async #catchUp(route: ProcessRoute): Promise<void> {
    const underWay = this.#catchingUp.get(route);
    if (underWay !== undefined) return underWay;
    const work = this.#fetchMissing(route).finally(() => this.#catchingUp.delete(route));
    this.#catchingUp.set(route, work);
    return work;
  }

  async #fetchMissing(route: ProcessRoute): Promise<void> {
    do {
      route.order.closeGap();
      await this.#dialect?.catchUp?.(route, (events) => this.#inbox.deliverRead(route, events));
    } while (route.order.hasGap && !route.process.isClosed);
  }

  #ended(error: ExecServerError): void {
    this.#heartbeat?.stop();
    this.#inbox.end(error);
    this.#tell({ state: "gaveUp", error });
  }

  #tell(change: LinkChange): void {
    if (this.#isDisposed) return;
    for (const listener of this.#listeners) listener(change);
  }
}
