import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, existsSync, openSync, readdirSync, readFileSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Guard, spawnProcess } from "@codex/pty";
import { temporaryDirectory } from "@codex/test-support";
import { describe, expect, test } from "vitest";
import { openBench, shell } from "./bench.ts";

const agentFile = fileURLToPath(new URL("fixtures/agent.mjs", import.meta.url));
const isBuilt = existsSync(fileURLToPath(new URL("../dist/index.js", import.meta.url)));

test("the package is built: the agents of these tests run its product", () => {
  expect(isBuilt, "run pnpm build").toBe(true);
});

test.each(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "%s to the agent: its commands are gone, whatever they ignore",
  async (signal) => {
    await using folder = await temporaryDirectory();
    const held = heldPipe(folder.path);
    const agent = await startedAgent([held.path]);
    agent.kill(signal);
    await held.released();
  },
);

test("an agent that just exits takes its commands with it", async () => {
  await using folder = await temporaryDirectory();
  const held = heldPipe(folder.path);
  const agent = await startedAgent([held.path]);
  agent.stdin.end();
  await held.released();
});

test("guard and spare pipes do not keep an agent alive that disposed nothing", async () => {
  const agent = await startedAgent([]);
  const [code] = (await once(agent, "exit")) as [number];
  expect(code).toBe(0);
});

test("disposing kills the groups on the list, not those that were released and are gone", async () => {
  const context = { baseEnvironment: process.env };
  await using listed = await spawnProcess(shell("sleep 600"), context);
  await using released = await spawnProcess(shell("sleep 600"), context);
  const guard = new Guard([tmpdir()]);
  await guard.start();
  for (const { pid } of [listed, released]) guard.add(pid ?? 0);
  guard.release(released.pid ?? 0, false); // alive: stays on the list until it is not
  await released.terminate({ graceMs: 0 });
  await guard[Symbol.asyncDispose]();
  expect(await listed.exit).toEqual({ code: 137, signal: "SIGKILL" });
});

test("where no folder can hold the list nothing is guarded, and everything runs", async () => {
  await using guard = new Guard(["/nowhere", "/proc"]);
  await using bench = openBench({ guard });
  expect((await bench.run("echo hi")).output).toBe("hi\n");
});

describe.runIf(process.platform === "linux")("the guard's own process", () => {
  test("is in a session of its own and deaf to INT, TERM and HUP", async () => {
    await using guard = new Guard([tmpdir()]);
    const pid = await startedGuard(guard);
    expect(sessionOf(pid)).toBe(pid);
    await expect.poll(() => ignoredSignals(pid)).toEqual([1, 2, 15]);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(-pid, signal);

    await using bench = openBench({ guard });
    await using command = await bench.start("sleep 600");
    await guard[Symbol.asyncDispose]();
    expect(await command.exit).toEqual({ code: 137, signal: "SIGKILL" });
  });

  test("is replaced when somebody kills it, and the new one knows the old one's groups", async () => {
    await using guard = new Guard([tmpdir()]);
    const pid = await startedGuard(guard);
    await using bench = openBench({ guard });
    await using command = await bench.start("sleep 600");
    process.kill(pid, "SIGKILL");
    await expect.poll(() => childrenOfThisProcess().includes(pid)).toBe(false);
    await guard.start();
    await guard[Symbol.asyncDispose]();
    expect(await command.exit).toEqual({ code: 137, signal: "SIGKILL" });
  });
});

async function startedAgent(args: string[]) {
  const agent = spawn(process.execPath, [agentFile, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(agent.stdout, "data");
  return agent;
}

/** A named pipe. `released` settles when the last process that had it open for writing has let go. */
function heldPipe(folder: string): { readonly path: string; released(): Promise<unknown> } {
  const path = join(folder, "held");
  execFileSync("mkfifo", [path]);
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const ourWriter = openSync(path, constants.O_WRONLY); // or the reader would see an end before the first writer
  const released = async (): Promise<unknown> => {
    closeSync(ourWriter);
    return once(new Socket({ fd, readable: true, writable: false }).resume(), "end");
  };
  return { path, released };
}

async function startedGuard(guard: Guard): Promise<number> {
  const before = childrenOfThisProcess();
  await guard.start();
  return childrenOfThisProcess().find((pid) => !before.includes(pid)) ?? 0;
}

function childrenOfThisProcess(): number[] {
  const tasks = readdirSync("/proc/self/task");
  const texts = tasks.map((task) => readFileSync(`/proc/self/task/${task}/children`, "utf8"));
  return texts.join(" ").split(" ").filter(Boolean).map(Number);
}

function sessionOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3]);
}

function ignoredSignals(pid: number): number[] {
  const mask = /^SigIgn:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
  const bits = BigInt(`0x${mask}`);
  return [1, 2, 15].filter((signal) => (bits >> BigInt(signal - 1)) & 1n);
}
