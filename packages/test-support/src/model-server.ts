import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { playTurn } from "./play-turn.ts";
import { type Scenario, turnFor } from "./scenario.ts";

/** One model request as it arrived. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body, byte for byte. */
  readonly text: string;
  /** The body parsed; undefined when it is not JSON. */
  readonly body: Record<string, unknown> | undefined;
  /** Milliseconds since the server started. */
  readonly atMs: number;
}

/** A model that follows a script, on loopback. Disposing closes it, open streams included. */
export interface ModelServer extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:PORT/v1`. */
  readonly baseUrl: string;
  /** Every model request so far, in order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** The request with this number (from 0), as soon as it has arrived. Rejects after `timeoutMs` (10 s). */
  request(n: number, timeoutMs?: number): Promise<RecordedRequest>;
}

/**
 * Starts a server for `POST …/responses` that answers the n-th request with turn n of `scenario`; `GET …/models`
 * names one model. `variables` fill `{{name}}` in the script.
 */
export async function startModelServer(
  scenario: Scenario,
  variables: Readonly<Record<string, string>> = {},
): Promise<ModelServer> {
  const server = new ScriptedServer(scenario, variables);
  await server.listen();
  return server;
}

class ScriptedServer implements ModelServer {
  readonly requests: RecordedRequest[] = [];
  readonly #scenario: Scenario;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #startedAtMs = Date.now();
  readonly #arrivals = new Set<() => void>();
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  constructor(scenario: Scenario, variables: Readonly<Record<string, string>>) {
    this.#scenario = scenario;
    this.#variables = variables;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(0, "127.0.0.1", resolve);
    });
  }

  request(n: number, timeoutMs = 10_000): Promise<RecordedRequest> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#arrivals.delete(look);
        reject(new Error(`no model request ${n} within ${timeoutMs} ms`));
      }, timeoutMs);
      const look = (): void => {
        const found = this.requests[n];
        if (found === undefined) return;
        clearTimeout(timer);
        this.#arrivals.delete(look);
        resolve(found);
      };
      this.#arrivals.add(look);
      look();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(request);
    const path = request.url ?? "/";
    if (request.method === "GET" && path.endsWith("/models")) {
      response.setHeader("content-type", "application/json");
      response.end('{"object":"list","data":[{"id":"scripted","object":"model"}]}');
      return;
    }
    if (request.method !== "POST" || !/\/responses(\?|$)/.test(path)) {
      response.writeHead(404).end('{"error":{"message":"no such route"}}');
      return;
    }
    const n = this.requests.length;
    this.#record(request, path, text);
    const turn = turnFor(this.#scenario, { n, text }, this.#variables);
    if (turn !== undefined) return playTurn(response, turn, n);
    response.writeHead(500).end('{"error":{"message":"scenario used up"}}');
  }

  #record(request: IncomingMessage, path: string, text: string): void {
    const { method = "GET", headers } = request;
    const atMs = Date.now() - this.#startedAtMs;
    this.requests.push({ method, path, headers, text, body: parseBody(text), atMs });
    for (const look of this.#arrivals) look();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parseBody(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
