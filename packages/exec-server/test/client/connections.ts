import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { createLocalEnvironment } from "@codex/environment";
import {
  connectCommand,
  connectInProcess,
  connectWebSocket,
  type ExecServerClient,
  type ExecServerClientConnectOptions,
  spawnLocalExecServer,
} from "@codex/exec-server";
import { toAbsolutePath } from "@codex/protocol";
import {
  copySingleFile,
  missingForSsh,
  singleFilePath,
  startSshServer,
  within,
} from "@codex/test-support";
import { afterAll } from "vitest";

/** The built server, as the one file that starts soonest; `pnpm test` builds it. */
export const serverProgram = singleFilePath;

export interface ServerProcess extends AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
}

/** A server of its own process that listens on loopback. Disposing kills it. */
export async function startServer(
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Promise<ServerProcess> {
  const listen = ["--listen", "ws://127.0.0.1:0"];
  const child = spawn(process.execPath, [serverProgram, ...listen, ...args], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = once(child, "exit");
  const lines = createInterface(child.stdout);
  const [url] = (await within(once(lines, "line"), "the server's address")) as [string];
  return {
    url,
    child,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** A way to a server on this machine. Each call gives a connection of its own; the client owns what it needs. */
export type Connect = (
  options?: Pick<ExecServerClientConnectOptions, "dialect">,
) => Promise<ExecServerClient>;

const variables = process.env;

const missing = missingForSsh();
if (missing !== undefined) console.log(`skipped: the contracts over ssh: ${missing}`);

/** Every way. What more than one connection can use (websocket server, sshd) is shared by the file that asks for it. */
export const connections: readonly (readonly [string, Connect])[] = [
  [
    "in-process",
    (options) =>
      connectInProcess(createLocalEnvironment({ cwd: toAbsolutePath("/"), variables }), options),
  ],
  [
    "stdio",
    async (options) => {
      const command = { program: process.execPath, args: [serverProgram] };
      return (await spawnLocalExecServer(command, { ...options, variables })).client;
    },
  ],
  [
    "command",
    (options) => {
      const script = `echo "Last login: never"; exec "$0" "$1"`;
      return connectCommand(["sh", "-c", script, process.execPath, serverProgram], {
        ...options,
        variables,
      });
    },
  ],
  [
    "websocket",
    async (options) => connectWebSocket({ ...options, websocketUrl: (await sharedServer()).url }),
  ],
  [
    "the single file",
    async (options) => {
      const command = { program: process.execPath, args: [await loneServer()] };
      return (await spawnLocalExecServer(command, { ...options, variables })).client;
    },
  ],
  ...(missing === undefined ? [["ssh", overSsh] as const] : []),
];

/** The ways whose bytes travel differently: what the long contracts are run over. */
export const wires = connections.filter(
  ([name]) => name !== "command" && name !== "the single file",
);

/** The single file, alone in its folder but for the terminals' binary, on the other side of a real sshd. */
async function overSsh(options: Parameters<Connect>[0]): Promise<ExecServerClient> {
  sshServer ??= startSshServer({ path: variables["PATH"] ?? "" });
  const line = `exec ${process.execPath} ${await loneServer()}`;
  return connectCommand((await sshServer).command(line), { ...options, variables });
}

function loneServer(): Promise<string> {
  lone ??= copySingleFile({ terminals: true });
  return lone.then(({ path }) => path);
}

let lone: ReturnType<typeof copySingleFile> | undefined;
let sshServer: ReturnType<typeof startSshServer> | undefined;
let shared: Promise<ServerProcess> | undefined;

afterAll(async () => {
  await (await shared)?.[Symbol.asyncDispose]();
  await (await sshServer)?.[Symbol.asyncDispose]();
  await (await lone)?.[Symbol.asyncDispose]();
});

function sharedServer(): Promise<ServerProcess> {
  shared ??= startServer();
  return shared;
}
