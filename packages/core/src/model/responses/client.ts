import { resolveApiKey } from "../api-key.ts";
import { type ModelClient, ModelError, type ModelEvent, type Prompt } from "../model-client.ts";
import { readErrorBody } from "./error-body.ts";
import { readEventStream } from "./event-stream.ts";
import { parseModelEvent } from "./events.ts";
import { httpError } from "./http-error.ts";
import { outgoingRequest, type RequestSettings } from "./outgoing-request.ts";
import { requestUrl, shownUrl } from "./request-url.ts";
import { type Answer, openTransport, type Transport } from "./transport.ts";

export interface ResponsesClientOptions extends RequestSettings {
  /** Milliseconds since 1970, for `retry-after` dates; default the clock. */
  readonly now?: () => number;
}

/** Disposing ends its connections; without it they do not keep the process alive either. */
export interface ResponsesClient extends ModelClient, AsyncDisposable {}

/**
 * A model behind the Responses API. Throws {@link ModelError} at once, before any request, when there is no key
 * (`missingKey`) or no usable address (`invalidRequest`). Nothing else happens before the first `stream`.
 */
export function createResponsesClient(options: ResponsesClientOptions): ResponsesClient {
  return new HttpResponsesClient(options);
}

class HttpResponsesClient implements ResponsesClient {
  readonly #options: ResponsesClientOptions;
  readonly #apiKey: string | undefined;
  readonly #url: URL;
  readonly #now: () => number;
  #transport: Promise<Transport> | undefined;

  constructor(options: ResponsesClientOptions) {
    this.#options = options;
    this.#url = requestUrl(options.provider);
    this.#apiKey = resolveApiKey(options.provider, options.variables);
    this.#now = options.now ?? Date.now;
  }

  async *stream(prompt: Prompt, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    const answer = await this.#post(prompt, signal);
    let isComplete = false;
    try {
      if (answer.status < 200 || answer.status > 299) throw await this.#refusal(answer);
      const { streamIdleTimeoutMs } = this.#options.provider;
      for await (const data of readEventStream(answer.body, streamIdleTimeoutMs)) {
        const event = parseModelEvent(data);
        if (event === undefined) continue;
        isComplete = event.type === "completed";
        yield event;
        if (isComplete) return;
        signal.throwIfAborted();
      }
      throw closedEarly();
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      answer.close(isComplete ? "drain" : "cut");
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const transport = await this.#transport;
    transport?.close();
  }

  async #post(prompt: Prompt, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    const { url, headers, body } = outgoingRequest(prompt, this.#options, this.#apiKey);
    const bytes = Buffer.from(JSON.stringify(body));
    this.#transport ??= openTransport(this.#url.protocol === "https:" ? "https:" : "http:");
    const transport = await this.#transport;
    return transport.post(
      {
        url,
        headers: { ...headers, "content-length": String(bytes.byteLength) },
        body: bytes,
        timeoutMs: this.#options.provider.streamIdleTimeoutMs,
      },
      signal,
    );
  }

  async #refusal(answer: Answer): Promise<ModelError> {
    const text = await readErrorBody(answer.body);
    const { status, statusName, headers } = answer;
    return httpError({ status, statusName, headers, text, url: shownUrl(this.#url) }, this.#now());
  }
}

function closedEarly(): ModelError {
  return new ModelError(
    "stream",
    "stream disconnected before completion: stream closed before response.completed",
    { isRetryable: true, phase: "stream" },
  );
}
