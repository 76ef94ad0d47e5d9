import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelProvider } from "../../src/config/config.ts";
import type { ModelClient, ModelError, ModelEvent, Prompt } from "../../src/model/model-client.ts";
import { modelInfoFor } from "../../src/model/models.ts";
import { providerDefaults } from "../../src/model/providers.ts";
import {
  createResponsesClient,
  type ResponsesClient,
  type ResponsesClientOptions,
} from "../../src/model/responses/client.ts";

export const threadId = "0199f000-0000-7000-8000-000000000001";

export function testProvider(changes: Partial<ModelProvider> = {}): ModelProvider {
  return {
    ...providerDefaults,
    id: "test",
    name: "Test",
    baseUrl: "http://127.0.0.1:9/v1",
    envKey: undefined,
    envKeyInstructions: undefined,
    bearerToken: undefined,
    requestForm: "instructions",
    ...changes,
  };
}

export function testPrompt(changes: Partial<Prompt> = {}): Prompt {
  return { threadId, turnId: "turn-1", instructions: "Be good.", input: [], tools: [], ...changes };
}

/** A client for a server on loopback. */
export function clientFor(
  baseUrl: string,
  changes: Partial<ModelProvider> = {},
  options: Partial<ResponsesClientOptions> = {},
): ResponsesClient {
  return createResponsesClient({
    provider: testProvider({ baseUrl, ...changes }),
    model: modelInfoFor("some-model"),
    settings: {},
    variables: {},
    userAgent: "test/1.0",
    originator: "test",
    ...options,
  });
}

const never = new AbortController().signal;

/** All events of one attempt, and how it ended. */
export async function attempt(
  client: ModelClient,
  options: { readonly prompt?: Prompt; readonly signal?: AbortSignal } = {},
): Promise<{ readonly events: readonly ModelEvent[]; readonly error: unknown }> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of client.stream(
      options.prompt ?? testPrompt(),
      options.signal ?? never,
    )) {
      events.push(event);
    }
  } catch (error) {
    return { events, error };
  }
  return { events, error: undefined };
}

export interface LoopbackServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** How many connections it was ever given. */
  readonly connections: () => number;
}

/** An HTTP server on loopback that answers as it is told. */
export async function loopbackServer(listener: RequestListener): Promise<LoopbackServer> {
  let connections = 0;
  const server = createServer((request, response) => {
    request.resume();
    listener(request, response);
  });
  server.on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** One server-sent event. */
export function sse(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

export const completed = { type: "response.completed", response: { id: "r1" } };
export const completedEvent: ModelEvent = {
  type: "completed",
  responseId: "r1",
  usage: undefined,
  totalTokens: undefined,
};

/** Everything an error says of itself, to compare it whole. */
export function factsOf(error: ModelError): Record<string, unknown> {
  const { kind, message, isRetryable, phase, status, retryAfterMs } = error;
  return { kind, message, isRetryable, phase, status, retryAfterMs };
}
