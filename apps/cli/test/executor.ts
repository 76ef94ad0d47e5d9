import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { temporaryDirectory, within } from "@codex/test-support";

/** The built server of this checkout. */
const serverEntry = fileURLToPath(new URL("../bin/codex-exec-server.js", import.meta.url));

/** What starts a server on standard input and output. */
export function commandFor(): string[] {
  return [process.execPath, serverEntry];
}

export interface Executor extends AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
}

export interface ExecutorOptions {
  readonly token?: string;
  /** Default: this checkout's. */
  readonly program?: string;
}

/** A server that listens on loopback, as a process. Disposing kills it. */
export async function startExecutor(options: ExecutorOptions = {}): Promise<Executor> {
  const { token, program = serverEntry } = options;
  // Of its own: the login shells it starts, and a test kills, are not to run a person's start-up files.
  const home = await temporaryDirectory();
  const auth = token === undefined ? [] : ["--ws-auth", "capability-token"];
  const child = spawn(process.execPath, [program, "--listen", "ws://127.0.0.1:0", ...auth], {
    cwd: "/",
    env: {
      ...process.env,
      HOME: home.path,
      ...(token !== undefined && { CODEX_EXEC_SERVER_CONNECTION_TOKEN: token }),
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = once(child, "exit");
  const [url] = (await within(once(createInterface(child.stdout), "line"), "its address")) as [
    string,
  ];
  return {
    url,
    child,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
      await home[Symbol.asyncDispose]();
    },
  };
}
