// What the checks of `pnpm interop` run on: a client of the SDK over this build, with a home and a workspace of its
// own, beside a scripted model; and an executor.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { cliPath, startModelServer } from "../../packages/test-support/dist/index.js";

/** Thrown by a check that cannot be made on this machine. */
export class Skip extends Error {}

let benches = 0;

/** `options` are further options of the SDK's client. `close` closes the model server; the folders are the caller's. */
export async function openBench({ Codex, folder, config }, scenario, options = {}) {
  const root = join(realpathSync(folder), `bench-${++benches}`);
  const home = join(root, "home");
  const workspace = join(root, "workspace");
  const beside = join(root, "beside");
  for (const path of [home, workspace, beside]) mkdirSync(path, { recursive: true });
  const server = await startModelServer(scenario, { workspace, beside });
  const client = (more = {}) =>
    new Codex({
      codexPathOverride: cliPath,
      baseUrl: server.baseUrl,
      apiKey: "interop-key",
      env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home },
      ...options,
      ...more,
      config: { ...config, ...options.config },
    });
  return {
    requests: server.requests,
    request: (n) => server.request(n),
    client,
    codex: client(),
    home,
    workspace,
    beside,
    threadOptions: {
      workingDirectory: workspace,
      skipGitRepoCheck: true,
      sandboxMode: "danger-full-access",
    },
    close: () => server[Symbol.asyncDispose](),
  };
}

/** `codex exec-server` on a port of its own, and the settings that lead to it. */
export async function startExecutor() {
  const args = [cliPath, "exec-server", "--listen", "ws://127.0.0.1:0"];
  const child = spawn(process.execPath, args, { cwd: "/", stdio: ["ignore", "pipe", "ignore"] });
  const exited = once(child, "exit");
  const [url] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    exited.then(() => Promise.reject(new Error("the executor ended before it listened"))),
  ]);
  return {
    config: {
      experimental_unified_exec_use_exec_server: true,
      experimental_unified_exec_exec_server_websocket_url: url,
    },
    async close() {
      child.kill();
      await exited;
    },
  };
}
