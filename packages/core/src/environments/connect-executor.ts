import { createLocalEnvironment, type Environment } from "@codex/environment";
import {
  connectCommand,
  connectInProcess,
  connectWebSocket,
  createExecServerEnvironment,
  type ExecServerClient,
  type ExecServerLaunchCommand,
  spawnLocalExecServer,
} from "@codex/exec-server";
import type { AbsolutePath, SandboxIntent } from "@codex/protocol";
import type { EnvironmentSelection } from "../config/config.ts";

/** What is used of this machine to get to another. */
export interface OpenEnvironmentContext {
  /** This machine's variables. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Our own built server, run by this Node; left out, `codex-exec-server` is looked up on the PATH. */
  readonly serverEntry?: string;
  /** Gets what a server or a command started from here prints to its standard error. */
  readonly onStderr?: (bytes: Uint8Array) => void;
  /** Gives up connecting, with its reason. */
  readonly signal?: AbortSignal;
}

/** What a connection has to know of the run as well, in the executor's own spelling. */
export interface ConnectContext extends OpenEnvironmentContext {
  readonly cwd: AbsolutePath;
  readonly sandbox: SandboxIntent;
}

export type RemoteSelection = Extract<EnvironmentSelection, { readonly name: string }>;

/** The executor a selection names, behind the seam. Rejects with an `ExecServerError` or the signal's reason. */
export async function connectExecutor(
  selection: RemoteSelection,
  context: ConnectContext,
): Promise<Environment> {
  const { name } = selection;
  const { cwd, sandbox: boundIntent } = context;
  const client = await connectClient(selection, context);
  const isOurOwn = selection.kind === "inProcess" || selection.kind === "spawnLocal";
  return createExecServerEnvironment(client, { name, cwd, ...(isOurOwn && { boundIntent }) });
}

function connectClient(
  selection: RemoteSelection,
  context: ConnectContext,
): Promise<ExecServerClient> {
  const { signal, variables, onStderr, cwd, sandbox: sandboxBound } = context;
  const options = {
    initializeTimeoutMs: selection.initializeTimeoutMs,
    ...(signal && { signal }),
  };
  const child = { ...options, variables, ...(onStderr && { onStderr }) };
  switch (selection.kind) {
    case "websocket": {
      const { url: websocketUrl, token, connectTimeoutMs, resumeTimeoutMs } = selection;
      const reconnect = resumeTimeoutMs !== 0 && {
        ...(resumeTimeoutMs !== undefined && { giveUpAfterMs: resumeTimeoutMs }),
      };
      return connectWebSocket({ ...options, websocketUrl, token, connectTimeoutMs, reconnect });
    }
    case "command":
      return connectCommand(selection.command, child);
    case "spawnLocal":
      return spawnLocalExecServer(ownServer(context), child).then(({ client }) => client);
    case "inProcess":
      return connectInProcess(createLocalEnvironment({ cwd, variables, sandboxBound }), {
        ...options,
        variables,
      });
  }
}

/** The server holds every call to the run's sandbox by itself, whatever a call says. */
function ownServer({ serverEntry, sandbox }: ConnectContext): ExecServerLaunchCommand {
  const args = ["--sandbox-intent", JSON.stringify(sandbox)];
  return serverEntry === undefined
    ? { program: "codex-exec-server", args }
    : { program: process.execPath, args: [serverEntry, ...args] };
}
