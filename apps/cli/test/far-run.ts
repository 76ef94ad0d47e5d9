import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { temporaryDirectory } from "@codex/test-support";
import { expect } from "vitest";
import { execWith, type ExecResult, type ExecSetup } from "./exec-with.ts";
import type { Executor } from "./executor.ts";

/** One run with the environment `far`, its settings as lines of TOML; whatever happens, nothing is written here. */
export function runAt(
  settings: string,
  options: Pick<ExecSetup, "env" | "scenario" | "run" | "args"> = {},
): Promise<ExecResult> {
  const config = `environment = "far"\n[environments.far]\n${settings}`;
  return execWith({ config, ...options }, async ({ workspace }) => {
    expect(await readdir(workspace)).toEqual([".git"]);
  });
}

/** What to send the signal to, once there is something. */
type Victim = Executor | { readonly pid: () => Promise<number> };

/**
 * A run whose executor gets the signal while a command of it runs: within the time it ends with exit 4 and says so;
 * the command ran there and not here, and its item has no exit code.
 */
export async function expectLost(
  settings: string,
  victim: Victim,
  { signal, withinMs }: { readonly signal: NodeJS.Signals; readonly withinMs: number },
): Promise<void> {
  await using there = await temporaryDirectory({ ".git/HEAD": "" });
  const fifo = `${there.path}/fifo`;
  spawnSync("mkfifo", [fifo]);
  const cmd = `touch marker; echo started > fifo; sleep 60`;
  const running = runAt(`${settings}\nworkspace_root = "${there.path}"`, {
    args: ["--json", "go"],
    scenario: [
      [{ function_call: { name: "exec_command", arguments: { cmd, yield_time_ms: 30_000 } } }],
      [{ message: "never reached" }],
    ],
    run: { timeoutMs: withinMs + 10_000 },
  });
  await Promise.race([readFile(fifo), running]);
  const lostAt = performance.now();
  if ("child" in victim) victim.child.kill(signal);
  else process.kill(await victim.pid(), signal);
  const result = await running;
  expect(performance.now() - lostAt).toBeLessThan(withinMs);
  expect({ code: result.code, requests: result.requests.length }).toEqual({ code: 4, requests: 1 });
  expect(existsSync(`${there.path}/marker`)).toBe(true);
  const text = expect.stringMatching(/^environment `far` is lost: exec-server transport closed/);
  expect(result.events.slice(-3)).toMatchObject([
    {
      type: "item.completed",
      item: { type: "command_execution", exit_code: null, environment: "far" },
    },
    { type: "error", message: text },
    { type: "turn.failed", error: { message: text, kind: "environment" }, exit_code: 4 },
  ]);
}
