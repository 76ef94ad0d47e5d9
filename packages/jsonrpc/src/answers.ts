import { ErrorCode, type JsonRpcRequest, type RequestId } from "@codex/protocol";
import { ProtocolError, ResponseError } from "./errors.ts";
import type { OutgoingMessage, Transport } from "./transport.ts";

/** A result that holds bytes: `prefix`, the bytes as base64 and `suffix` are together the JSON text of the result. */
export class SplicedResult {
  readonly prefix: string;
  readonly bytes: Uint8Array;
  readonly suffix: string;

  constructor(prefix: string, bytes: Uint8Array, suffix: string) {
    this.prefix = prefix;
    this.bytes = bytes;
    this.suffix = suffix;
  }
}

/** What a handler knows about the request it answers. */
export interface Call {
  /** Aborted when the connection is disposed. */
  readonly signal: AbortSignal;
  /** Settles when the answer has taken its place in the order of sends: what is sent after it arrives after it. */
  readonly answered: Promise<void>;
}

export interface ConnectionLimits {
  /**
   * Requests of the peer that are not answered yet; one more is refused, unless it is urgent. Default 1,024. At twice
   * as many (all refusals unread) reading stops.
   */
  readonly maxPendingRequests?: number;
  /** Methods that get through although there are too many requests. */
  readonly isUrgent?: (method: string) => boolean;
  /** Answers the peer has not read, in bytes, at which reading stops until it does. Default 64 MiB. */
  readonly maxUnreadBytes?: number;
}

interface AnswersOptions extends ConnectionLimits {
  readonly onRequest?: (request: JsonRpcRequest, call: Call) => unknown;
}

/** The requests of the peer, from arrival until their answer is sent. */
export class Answers {
  readonly #transport: Transport;
  readonly #options: AnswersOptions;
  readonly #onViolation: (error: ProtocolError) => void;
  readonly #abort = new AbortController();
  #unanswered = 0;
  #lastSent: Promise<void> = Promise.resolve();
  #waiters: (() => void)[] = [];

  constructor(
    transport: Transport,
    options: AnswersOptions,
    onViolation: (error: ProtocolError) => void,
  ) {
    this.#transport = transport;
    this.#options = options;
    this.#onViolation = onViolation;
  }

  /** Begins to answer; a returned promise settles when the next message may be read. */
  answer(request: JsonRpcRequest): void | Promise<void> {
    const { maxPendingRequests = 1_024, maxUnreadBytes = 64 * 1024 * 1024 } = this.#options;
    const isRefused =
      this.#unanswered >= maxPendingRequests && this.#options.isUrgent?.(request.method) !== true;
    this.#unanswered += 1;
    void (isRefused ? this.#refuse(request.id, maxPendingRequests) : this.#run(request));
    if (this.#unanswered >= maxPendingRequests * 2) return this.#oneAnswered();
    if (this.#transport.pendingBytes > maxUnreadBytes) return this.#lastSent.catch(() => undefined);
  }

  async settled(): Promise<void> {
    while (this.#unanswered > 0) await this.#oneAnswered();
  }

  abort(): void {
    this.#abort.abort();
  }

  async #run(request: JsonRpcRequest): Promise<void> {
    const call = new CallState(this.#abort.signal);
    await this.#send(await this.#resultOf(request, call), call);
  }

  async #resultOf(request: JsonRpcRequest, call: Call): Promise<OutgoingMessage | undefined> {
    const { id } = request;
    try {
      const result = await this.#options.onRequest?.(request, call);
      return result instanceof SplicedResult ? splice(id, result) : { id, result: result ?? null };
    } catch (error) {
      if (!(error instanceof ProtocolError))
        return { id, error: toResponseError(error).toErrorObject() };
      this.#onViolation(error);
      return undefined;
    }
  }

  #refuse(id: RequestId, limit: number): Promise<void> {
    const message = `too many pending requests: the limit is ${limit}`;
    const error = new ResponseError(ErrorCode.invalidRequest, message).toErrorObject();
    return this.#send({ id, error });
  }

  async #send(message: OutgoingMessage | undefined, call?: CallState): Promise<void> {
    if (message !== undefined) {
      const sent = this.#transport.send(message);
      this.#lastSent = sent;
      call?.markAnswered();
      await sent.catch(() => undefined);
    }
    this.#unanswered -= 1;
    for (const wake of this.#waiters.splice(0)) wake();
  }

  #oneAnswered(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }
}

class CallState implements Call {
  readonly signal: AbortSignal;
  #isAnswered = false;
  #wake: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  get answered(): Promise<void> {
    if (this.#isAnswered) return Promise.resolve();
    return new Promise((resolve) => {
      const earlier = this.#wake;
      this.#wake = () => (earlier?.(), resolve());
    });
  }

  markAnswered(): void {
    this.#isAnswered = true;
    this.#wake?.();
  }
}

function splice(id: RequestId, { prefix, bytes, suffix }: SplicedResult): OutgoingMessage {
  return { prefix: `{"id":${JSON.stringify(id)},"result":${prefix}`, bytes, suffix: `${suffix}}` };
}

function toResponseError(error: unknown): ResponseError {
  if (error instanceof ResponseError) return error;
  return new ResponseError(
    ErrorCode.internalError,
    error instanceof Error ? error.message : String(error),
  );
}
