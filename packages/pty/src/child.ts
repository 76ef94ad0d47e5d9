import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { constants } from "node:os";
import { startError } from "./os-error.ts";
import type { ProcessExit } from "./process.ts";
import { openMasters } from "./terminal-masters.ts";

/** What every child of this package is started from. */
export interface ChildRequest {
  readonly file: string;
  readonly args: readonly string[];
  /** What it sees as its own name, when not `file`. */
  readonly argv0?: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Makes it the leader of a session and process group of its own. */
  readonly ownSession: boolean;
  /** Its descriptors 0, 1, 2 and up. */
  readonly stdio: readonly ("ignore" | "pipe" | number)[];
}

/**
 * The one place that forks. Terminal masters have no close-on-exec flag and Node cannot set it, so a child would
 * inherit all of them, sandboxed children included; here each such number is covered with /dev/null. Rejects with a
 * `ProcessError`.
 */
export async function spawnChild(request: ChildRequest): Promise<ChildProcess & { pid: number }> {
  const child = forkChild(request);
  if (child.pid === undefined) {
    const [error] = (await once(child, "error")) as [unknown];
    throw startError(error);
  }
  child.on("error", () => {}); // a failed kill() of an ended child is no news
  return child as ChildProcess & { pid: number };
}

/** Settles when the child itself has ended, whatever its descendants do. */
export function exitOf(child: ChildProcess): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      if (signal === null) resolve({ code: code ?? 0 });
      else resolve(exitBySignal(constants.signals[signal], signal));
    });
  });
}

export function exitBySignal(number: number, name: string): ProcessExit {
  return { code: 128 + number, signal: name };
}

function forkChild(request: ChildRequest): ChildProcess {
  const masters = openMasters();
  const nullDevice = masters.length === 0 ? undefined : openSync("/dev/null", "r+");
  try {
    return spawn(request.file, request.args, {
      cwd: request.cwd,
      env: request.env,
      detached: request.ownSession,
      stdio: covered(request.stdio, masters, nullDevice),
      ...(request.argv0 === undefined ? {} : { argv0: request.argv0 }),
    });
  } catch (error) {
    throw startError(error);
  } finally {
    if (nullDevice !== undefined) closeSync(nullDevice);
  }
}

function covered(
  stdio: ChildRequest["stdio"],
  masters: readonly number[],
  nullDevice: number | undefined,
): StdioOptions {
  const all: ("ignore" | "pipe" | number)[] = [...stdio];
  for (const master of masters) {
    while (all.length <= master) all.push("ignore"); // at 3 and above this leaves the number alone
    if (master >= stdio.length) all[master] = nullDevice ?? "ignore";
  }
  return all;
}
