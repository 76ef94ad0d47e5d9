import {
  checkAgainst,
  type ErrorObject,
  isErrorResponse,
  isRequest,
  type JsonRpcError,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type NotificationDefinition,
  type ParamsOf,
  type RequestDefinition,
  type ResultOf,
} from "@codex/protocol";
import { Answers, type Call, type ConnectionLimits } from "./answers.ts";
import { ConnectionClosedError, ProtocolError, ResponseError } from "./errors.ts";
import { PendingRequests } from "./pending-requests.ts";
import {
  type IncomingMessage,
  isMalformed,
  type MalformedMessage,
  type OutgoingMessage,
  type Transport,
} from "./transport.ts";

export interface ConnectionOptions extends ConnectionLimits {
  /**
   * Answers a request of the peer with its result (or a `SplicedResult`), or throws: a `ResponseError` is sent as it
   * is, a `ProtocolError` ends the connection, anything else is sent as an internal error. Requests are handed over
   * in order and run at the same time. Left out: a request from the peer ends the connection.
   */
  readonly onRequest?: (request: JsonRpcRequest, call: Call) => unknown;
  /** Takes a notification. While a returned promise is pending nothing more is read; throwing ends the connection. Left out: ignored. */
  readonly onNotification?: (notification: JsonRpcNotification) => void | Promise<void>;
  /** Answers what is no message (sent with id -1). Left out, or undefined returned: the connection ends. */
  readonly onMalformed?: (message: MalformedMessage) => ErrorObject | undefined;
  /** An answer to a request that is not pending: ignored unless this says `refuse`, which ends the connection. */
  readonly unknownAnswers?: "ignore" | "refuse";
}

export interface RequestOptions {
  /** Gives up waiting, with the signal's reason; the peer is not told, its answer is ignored. */
  readonly signal?: AbortSignal;
  /** Rejects with a `RequestTimeoutError` after so long. */
  readonly timeoutMs?: number;
}

/**
 * Requests and answers over a transport, in both directions; knows no method. It begins to read at once and owns the
 * transport: disposing closes it. After the peer has ended its side answers can still be sent; own requests all reject.
 */
export class Connection implements AsyncDisposable {
  /**
   * Settles when no more messages will arrive: with undefined after a clean end (the peer closed, or this side was
   * disposed), otherwise with the error that ended it. Never rejects. By then every pending request has rejected.
   */
  readonly ended: Promise<Error | undefined>;
  readonly #transport: Transport;
  readonly #options: ConnectionOptions;
  readonly #pending = new PendingRequests();
  readonly #answers: Answers;
  #violation: ProtocolError | undefined;

  constructor(transport: Transport, options: ConnectionOptions = {}) {
    this.#transport = transport;
    this.#options = options;
    this.#answers = new Answers(transport, options, (error) => this.close(error));
    this.ended = this.#run();
  }

  get label(): string {
    return this.#transport.label;
  }

  /** Requests of this side that wait for their answer. */
  get pendingRequests(): number {
    return this.#pending.size;
  }

  /**
   * Sends a request, ids counting from 1, and waits for its answer. Rejects with a `ResponseError` (the peer refused),
   * `ConnectionClosedError`, `RequestTimeoutError`, `ProtocolError` of kind `badResult`, or the signal's reason;
   * whatever happens, nothing stays pending.
   */
  async request<Definition extends RequestDefinition>(
    definition: Definition,
    params: ParamsOf<Definition>,
    options: RequestOptions = {},
  ): Promise<ResultOf<Definition>> {
    const { method } = definition;
    const { id, answer } = this.#pending.add(method, options);
    this.#transport.send({ id, method, params }).catch((cause: unknown) => {
      this.#pending.reject(id, closedError(cause));
    });
    const checked = checkAgainst(definition.result, await answer);
    if (checked.ok) return checked.value as ResultOf<Definition>;
    throw new ProtocolError("badResult", `bad answer to ${method}: ${checked.message}`);
  }

  /** Sends a notification; see {@link Transport.send} for what the promise means. */
  notify<Definition extends NotificationDefinition>(
    definition: Definition,
    params: ParamsOf<Definition>,
  ): Promise<void> {
    return this.#transport.send({ method: definition.method, params });
  }

  /** Sends a message as it is. */
  send(message: OutgoingMessage): Promise<void> {
    return this.#transport.send(message);
  }

  /** Settles when every request received so far has been answered and sent, or could not be. */
  settled(): Promise<void> {
    return this.#answers.settled();
  }

  /** Ends the connection because of something the peer did: `ended` gives this error. */
  close(violation: ProtocolError): void {
    this.#violation ??= violation;
    void this[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#answers.abort();
    this.#pending.close(new ConnectionClosedError());
    await this.#transport[Symbol.asyncDispose]();
    await this.ended;
  }

  async #run(): Promise<Error | undefined> {
    let failure: Error | undefined;
    try {
      for await (const message of this.#transport.messages) {
        if (this.#violation !== undefined) break;
        await this.#receive(message);
      }
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      // Whoever still sends must not wait for a peer that is no more.
      void this.#transport[Symbol.asyncDispose]();
    }
    const reason = this.#violation ?? failure;
    this.#pending.close(closedError(reason));
    return reason;
  }

  #receive(message: IncomingMessage): void | Promise<void> {
    if (isMalformed(message)) return this.#refuse(message);
    if (!("method" in message)) return this.#settle(message);
    if (!isRequest(message)) return this.#options.onNotification?.(message);
    if (this.#options.onRequest === undefined)
      throw new ProtocolError("unexpectedRequest", `unexpected request ${message.method}`);
    return this.#answers.answer(message);
  }

  #refuse(message: MalformedMessage): void {
    const error = this.#options.onMalformed?.(message);
    const { malformed, excerpt } = message;
    if (error === undefined)
      throw new ProtocolError("malformed", `malformed message: ${malformed}`, { excerpt });
    this.#transport.send({ id: -1, error }).catch(() => undefined);
  }

  #settle(message: JsonRpcResponse | JsonRpcError): void {
    const isKnown = isErrorResponse(message)
      ? this.#pending.reject(message.id, responseErrorOf(message.error))
      : this.#pending.resolve(message.id, message.result);
    if (!isKnown && this.#options.unknownAnswers === "refuse")
      throw new ProtocolError("unexpectedAnswer", "unexpected answer to no request");
  }
}

function responseErrorOf({ code, message, data }: ErrorObject): ResponseError {
  return new ResponseError(code, message, { data });
}

function closedError(cause: unknown): ConnectionClosedError {
  if (cause instanceof ConnectionClosedError) return cause;
  return new ConnectionClosedError("connection closed", { cause });
}
