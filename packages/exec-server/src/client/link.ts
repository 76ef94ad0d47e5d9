import {
  Connection,
  type ConnectionOptions,
  ProtocolError,
  type RequestOptions,
  type Transport,
} from "@codex/jsonrpc";
import {
  type NotificationDefinition,
  type ParamsOf,
  type RequestDefinition,
  type ResultOf,
} from "@codex/protocol";
import type { ExecServerClientConnectOptions } from "./connect-options.ts";
import {
  callError,
  endOf,
  type ExecServerError,
  fatalCause,
  notResumed,
  outcomeUnknown,
} from "./exec-server-error.ts";
import { type Greeting, performHandshake } from "./handshake.ts";
import { orAborted } from "./or-aborted.ts";
import { reconnect, type ReconnectOptions } from "./reconnect.ts";

export interface LinkOptions {
  readonly connect: ExecServerClientConnectOptions;
  /** Left out: the first cut is the end. */
  readonly reconnect: ReconnectOptions | undefined;
  readonly onNotification: NonNullable<ConnectionOptions["onNotification"]>;
  /** The link is cut, and an attempt to resume the session is under way. */
  readonly onCut: (error: ExecServerError) => void;
  readonly onResumed: () => void;
  /** It is over; the error is the one every call rejects with from now on. Called once. */
  readonly onEnd: (error: ExecServerError) => void;
}

/** Asking twice is asking once: these only look, name what they do, or end something. */
const repeatable: ReadonlySet<string> = new Set([
  "environment/info",
  "environment/status",
  "process/list",
  "process/read",
  "process/resize",
  "process/terminate",
  "process/write",
  "fs/readFile",
  "fs/readRange",
  "fs/getMetadata",
  "fs/readDirectory",
  "fs/canonicalize",
  "fs/walk",
  "fs/close",
  "session/end",
]);

/**
 * A connection that may be another one tomorrow. While it is cut, calls wait for what becomes of it: the session is
 * resumed and they are sent, or it is given up and they reject. A call whose answer the cut took is sent again if
 * that is the same as sending it once, and rejects with `outcomeUnknown` if it is not.
 */
export class Link implements AsyncDisposable {
  /** Settles when it is over. Never rejects. */
  readonly ended: Promise<ExecServerError>;
  readonly #options: LinkOptions;
  readonly #connectionOptions: ConnectionOptions;
  readonly #stop = new AbortController();
  #connection: Connection;
  #greeting: Greeting | undefined;
  #recovery: Promise<void> | undefined;
  #end: ExecServerError | undefined;
  #settleEnded: (error: ExecServerError) => void = () => undefined;

  /** Owns the transport from here on. */
  constructor(transport: Transport, options: LinkOptions) {
    this.#options = options;
    this.#connectionOptions = { onNotification: options.onNotification };
    this.ended = new Promise((resolve) => {
      this.#settleEnded = resolve;
    });
    this.#connection = new Connection(transport, this.#connectionOptions);
    this.#watch(this.#connection);
  }

  get label(): string {
    return this.#connection.label;
  }

  get pendingRequests(): number {
    return this.#connection.pendingRequests;
  }

  /** What ended it, if it has. */
  get end(): ExecServerError | undefined {
    return this.#end;
  }

  get isCut(): boolean {
    return this.#recovery !== undefined;
  }

  /** The first thing to do. */
  async greet(): Promise<Greeting> {
    this.#greeting = await performHandshake(this.#connection, this.#options.connect);
    return this.#greeting;
  }

  async request<Definition extends RequestDefinition>(
    definition: Definition,
    params: ParamsOf<Definition>,
    options: RequestOptions = {},
  ): Promise<ResultOf<Definition>> {
    for (;;) {
      await this.#connected(options.signal);
      const connection = this.#connection;
      try {
        return await connection.request(definition, params, options);
      } catch (error) {
        const fatal = fatalCause(error);
        if (fatal === undefined) throw callError(error);
        this.#cut(connection, fatal.cause);
        await this.#connected(options.signal);
        if (!repeatable.has(definition.method)) throw outcomeUnknown(definition.method, error);
      }
    }
  }

  /** Best effort: nobody hears it while the link is cut. */
  notify<Definition extends NotificationDefinition>(
    definition: Definition,
    params: ParamsOf<Definition>,
  ): void {
    if (this.#recovery !== undefined || this.#end !== undefined) return;
    this.#connection.notify(definition, params).catch(() => undefined);
  }

  /** The first reason counts, for everybody. */
  endWith(reason: unknown): ExecServerError {
    if (this.#end !== undefined) return this.#end;
    this.#end = endOf(reason);
    this.#stop.abort();
    void this.#connection[Symbol.asyncDispose]();
    this.#options.onEnd(this.#end);
    this.#settleEnded(this.#end);
    return this.#end;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = this.#connection[Symbol.asyncDispose]();
    this.endWith(undefined);
    await closed;
    await this.#recovery;
  }

  async #connected(signal: AbortSignal | undefined): Promise<void> {
    while (this.#recovery !== undefined) await orAborted(this.#recovery, signal);
    if (this.#end !== undefined) throw this.#end;
  }

  #watch(connection: Connection): void {
    void connection.ended.then((reason) => this.#cut(connection, reason));
  }

  #cut(connection: Connection, reason: unknown): void {
    if (connection !== this.#connection || this.#recovery !== undefined) return;
    if (this.#end !== undefined) return;
    const { reconnect: how } = this.#options;
    const greeting = this.#greeting;
    const isOver =
      how === undefined ||
      greeting?.dialect !== "current" ||
      greeting.answer.sessionGraceMs === 0 ||
      reason instanceof ProtocolError;
    if (isOver) return void this.endWith(reason);
    void connection[Symbol.asyncDispose]();
    this.#options.onCut(endOf(reason));
    this.#recovery = this.#recover(how, greeting, reason);
  }

  /** Never rejects: what it came to is in the state. */
  async #recover(
    how: ReconnectOptions,
    greeting: Extract<Greeting, { readonly dialect: "current" }>,
    reason: unknown,
  ): Promise<void> {
    try {
      const { connect } = this.#options;
      const { signal } = this.#stop;
      const connectionOptions = this.#connectionOptions;
      const parts = { reconnect: how, greeting, connect, connectionOptions, signal };
      const connection = await reconnect(parts);
      this.#recovery = undefined;
      if (this.#end !== undefined) return void connection[Symbol.asyncDispose]();
      this.#connection = connection;
      this.#options.onResumed();
      this.#watch(connection);
    } catch (last) {
      this.#recovery = undefined;
      this.endWith(notResumed(reason, last));
    }
  }
}
