import type { ExecServerClient } from "./client.ts";
import { openOver } from "./connect-command.ts";
import type { ExecServerClientConnectOptions } from "./connect-options.ts";
import { ServerChild, type ServerChildOptions } from "./server-child.ts";

/** A server's program on this machine. */
export interface ExecServerLaunchCommand {
  /** A path, or a name that is looked up on the PATH. */
  readonly program: string;
  readonly args: readonly string[];
}

export interface SpawnLocalOptions extends ExecServerClientConnectOptions, ServerChildOptions {
  /** Gets the server's standard error as it comes; by default it is passed through to this process's own. */
  readonly onStderr?: (bytes: Uint8Array) => void;
}

/** A server of one's own and the client that speaks to it. Disposing ends both: the server within 2 s, else by a kill. */
export interface SpawnedExecServer extends AsyncDisposable {
  readonly client: ExecServerClient;
}

/** Starts a server as a child and connects to its standard streams. Rejects with the child gone. */
export async function spawnLocalExecServer(
  { program, args }: ExecServerLaunchCommand,
  options: SpawnLocalOptions,
): Promise<SpawnedExecServer> {
  const { signal, variables, onStderr = passThrough } = options;
  const parts = { ...options, argv: [program, ...args], label: `process ${program}`, onStderr };
  const client = await openOver(await ServerChild.start(parts, signal), options, { variables });
  return { client, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
}

function passThrough(bytes: Uint8Array): void {
  process.stderr.write(bytes);
}
