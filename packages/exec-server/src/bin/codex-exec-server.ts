import type { Readable, Writable } from "node:stream";
import { createLocalEnvironment } from "@codex/environment";
import { toAbsolutePath } from "@codex/protocol";
import {
  defaultListenUrl,
  type ExecServerTransport,
  ExecServerTransportParseError,
  parseListenUrl,
} from "../server/exec-server-transport.ts";
import { defaultServerLimits, defaultSessionGraceMs } from "../server/limits.ts";
import { runServer } from "../server/run-server.ts";
import {
  parseServerArguments,
  type ServerArguments,
  serverUsage,
  ServerUsageError,
  tokenVariable,
} from "../server/server-arguments.ts";

/** What the server needs of the process it is; `process` fits. */
export interface ServerHost {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
  on(event: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  off(event: "SIGINT" | "SIGTERM", listener: () => void): unknown;
}

/**
 * The whole of `codex-exec-server`: reads its arguments (without program and script), serves this machine, and gives
 * the exit code: 0 at the end of the input, 1 when it could not serve, 2 for a wrong command line, 130 or 143 after
 * SIGINT or SIGTERM. The caller ends the process with it.
 */
export async function main(argv: readonly string[], host: ServerHost): Promise<number> {
  try {
    const parsed = parseServerArguments(argv, host.env);
    if (parsed !== undefined) return await serveHere(parsed, host);
    host.stdout.write(serverUsage);
    return 0;
  } catch (error) {
    const isUsage =
      error instanceof ServerUsageError || error instanceof ExecServerTransportParseError;
    host.stderr.write(`error: ${textOf(error)}\n`);
    return isUsage ? 2 : 1;
  }
}

/** Serves over standard input and output until the input ends. */
export async function runMain(): Promise<void> {
  await runMainWithTransport(parseListenUrl(defaultListenUrl));
}

/** Serves this machine on the given transport with the defaults, as the binary does. Rejects when it cannot. */
export async function runMainWithTransport(transport: ExecServerTransport): Promise<void> {
  const sessionGraceMs = defaultSessionGraceMs;
  await serveHere(
    { transport, token: undefined, limits: defaultServerLimits, sessionGraceMs },
    process,
  );
}

async function serveHere(options: ServerArguments, host: ServerHost): Promise<number> {
  const { stdin, stdout, stderr } = host;
  // A process that inherits the server's variables must not learn its token.
  const { [tokenVariable]: _, ...variables } = host.env;
  const { sandboxBound } = options;
  await using environment = createLocalEnvironment({
    cwd: toAbsolutePath(host.cwd()),
    variables,
    ...(sandboxBound && { sandboxBound }),
  });
  using stop = stopOnSignals(host);
  await runServer({ ...options, environment, stdin, stdout, stderr, signal: stop.signal });
  return stop.exitCode();
}

function stopOnSignals(host: ServerHost): Disposable & {
  readonly signal: AbortSignal;
  exitCode(): number;
} {
  const aborter = new AbortController();
  let exitCode = 0;
  const stop = (code: number) => () => {
    exitCode ||= code;
    aborter.abort();
  };
  const onInterrupt = stop(130);
  const onTerminate = stop(143);
  host.on("SIGINT", onInterrupt);
  host.on("SIGTERM", onTerminate);
  return {
    signal: aborter.signal,
    exitCode: () => exitCode,
    [Symbol.dispose]() {
      host.off("SIGINT", onInterrupt);
      host.off("SIGTERM", onTerminate);
    },
  };
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}
