import { closeSync, fstatSync, readFileSync, readSync } from "node:fs";
import { parseSandboxStatus, type SandboxStatus } from "@codex/sandbox";
import type { SandboxedRun } from "./command.ts";
import type { ProcessExit } from "./process.ts";

export interface BubblewrapRunOptions {
  /** Open for reading; closed at the end. */
  readonly status: number;
  readonly isTerminal: boolean;
  /** Called once, at the end. */
  readonly release: () => void;
}

/** One sandboxed command, by what bubblewrap says on its status descriptor. */
export class BubblewrapRun implements SandboxedRun {
  readonly #options: BubblewrapRunOptions;
  #hasEnded = false;

  constructor(options: BubblewrapRunOptions) {
    this.#options = options;
  }

  /**
   * Over pipes the group is led by bubblewrap's first process, which as process 1 of its namespace ignores what it did
   * not ask for; on a terminal by the command itself. Undefined until the command is there.
   */
  programGroup(): number | undefined {
    const { childPid } = this.#hasEnded ? {} : this.#readStatus();
    const program = childPid && firstChildOf(childPid);
    return program && (this.#options.isTerminal ? program : childPid);
  }

  explainExit(exit: ProcessExit): ProcessExit {
    const { exitCode } = this.#hasEnded ? {} : this.#readStatus();
    if (exitCode !== undefined) return { code: exitCode };
    return exit.signal === undefined ? { ...exit, sandboxDenied: true } : exit;
  }

  [Symbol.dispose](): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    closeSync(this.#options.status);
    this.#options.release();
  }

  #readStatus(): SandboxStatus {
    const { status } = this.#options;
    const bytes = Buffer.alloc(fstatSync(status).size);
    readSync(status, bytes, 0, bytes.length, 0);
    return parseSandboxStatus(bytes.toString("latin1"));
  }
}

/** By this machine's numbers. */
function firstChildOf(pid: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1");
    return Number.parseInt(children, 10) || undefined;
  } catch {
    return undefined; // it has ended
  }
}
