import type { Readable, Writable } from "node:stream";
import type { Environment } from "@codex/environment";
import { createLineTransport, listenWebSocket, type Transport } from "@codex/jsonrpc";
import { admit, isLoopbackAddress } from "./admission.ts";
import type { CapabilityToken } from "./capability-token.ts";
import type { ExecServerTransport } from "./exec-server-transport.ts";
import { systemClock } from "./clock.ts";
import { defaultServerLimits, defaultSessionGraceMs, type ServerLimits } from "./limits.ts";
import { describeEnd, serve } from "./serve.ts";
import { SessionRegistry } from "./session-registry.ts";

export interface RunServerOptions {
  readonly transport: ExecServerTransport;
  /** What is served. Stays the caller's. */
  readonly environment: Environment;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly limits?: Partial<ServerLimits>;
  /** How long a session outlives its websocket; default 80,000, as in the original. Over stdio it ends at once. */
  readonly sessionGraceMs?: number;
  /** Asked of every websocket client. */
  readonly token?: CapabilityToken | undefined;
  /** Ends the server: processes first, then connections. */
  readonly signal?: AbortSignal;
}

/** The server was told to do what it must not. */
export class ServerSetupError extends Error {
  override readonly name = "ServerSetupError";
}

/**
 * Serves until the input ends (stdio) or the signal is aborted; by then every process it started has ended. Rejects
 * with a `TransportError` when the address cannot be bound, with a `ServerSetupError` for an address that others can
 * reach without a token.
 */
export async function runServer(options: RunServerOptions): Promise<void> {
  const { transport } = options;
  if (transport.kind === "websocket") return runWebSocket(options, transport);
  const { stdin: readable, stdout: writable, limits } = options;
  const { maxMessageBytes } = { ...defaultServerLimits, ...limits };
  await serveAndLog(
    createLineTransport({ readable, writable, label: "stdio", maxMessageBytes }),
    options,
  );
}

async function runWebSocket(
  options: RunServerOptions,
  { host, port }: Extract<ExecServerTransport, { kind: "websocket" }>,
): Promise<void> {
  const { token, signal, stdout, stderr, environment } = options;
  const limits = { ...defaultServerLimits, ...options.limits };
  const { maxConnections, maxMessageBytes } = limits;
  if (token === undefined && !isLoopbackAddress(host))
    throw new ServerSetupError(
      `a token is required to listen on ${host}, which others can reach: use --ws-auth capability-token`,
    );
  const graceMs = options.sessionGraceMs ?? defaultSessionGraceMs;
  await using sessions = new SessionRegistry({ environment, limits, clock: systemClock, graceMs });
  await using listener = await listenWebSocket({
    host,
    port,
    maxConnections,
    maxMessageBytes,
    admit: (request) => admit(request, { token }),
  });
  stderr.write(`codex-exec-server listening on ${listener.url}\n`);
  stdout.write(`${listener.url}\n`);
  const stop = () => {
    void sessions[Symbol.asyncDispose]();
    void listener[Symbol.asyncDispose]();
  };
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  const serving = new Set<Promise<void>>();
  for await (const transport of listener.connections) {
    const served = serveAndLog(transport, options, sessions).finally(() => serving.delete(served));
    serving.add(served);
  }
  await Promise.all(serving);
}

/** The log never holds what a client sent: no commands, paths, variables or tokens. */
async function serveAndLog(
  transport: Transport,
  options: RunServerOptions,
  sessions?: SessionRegistry,
): Promise<void> {
  const { environment, limits = {}, signal, stderr } = options;
  const end = await serve({
    transport,
    environment,
    limits,
    ...(sessions && { sessions }),
    ...(signal && { signal }),
  });
  if (end !== undefined)
    stderr.write(`codex-exec-server: ${transport.label} ended: ${describeEnd(end)}\n`);
}
