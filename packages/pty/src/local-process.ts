import type { SandboxedRun } from "./command.ts";
import type { Guard } from "./guard.ts";
import type { OutputQueue } from "./output-queue.ts";
import { ProcessGroup } from "./process-group.ts";
import {
  ProcessError,
  type ProcessExit,
  type ProcessSignal,
  type SpawnedProcess,
  type TerminalSize,
} from "./process.ts";
import { SandboxedGroup } from "./sandboxed-group.ts";
import type { SessionSweep } from "./session-sweep.ts";

const defaultGraceMs = 2_000;

/** Where a program's input goes. */
export interface ProcessInput {
  write(bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  end(): Promise<void>;
  /** Refuses what is still waiting and everything later. */
  destroy(): void;
}

/** What terminals and pipes each bring: a leader of its own group, its bytes both ways. */
export interface ProcessParts {
  readonly pid: number;
  /** Must not reject. */
  readonly exit: Promise<ProcessExit>;
  readonly output: OutputQueue;
  readonly input: ProcessInput;
  /** For terminals. */
  readonly resize?: (size: TerminalSize) => void;
}

/** What a process shares with others, and the sandbox it is in. */
export interface ProcessOwner {
  readonly guard: Guard | undefined;
  readonly sessions: SessionSweep;
  readonly sandboxed: SandboxedRun | undefined;
}

/** The near side of {@link SpawnedProcess}. */
export class LocalProcess implements SpawnedProcess {
  readonly pid: number;
  readonly exit: Promise<ProcessExit>;
  readonly closed: Promise<void>;
  readonly #parts: ProcessParts;
  readonly #group: ProcessGroup | SandboxedGroup;

  /** A sandbox around the program is asked what to report; the group counts as ended before it answers. */
  constructor(parts: ProcessParts, owner: ProcessOwner) {
    const { guard, sessions, sandboxed } = owner;
    guard?.add(parts.pid);
    this.pid = parts.pid;
    this.#parts = parts;
    const group = new ProcessGroup(parts.pid, parts.exit, sessions);
    this.#group = sandboxed ? new SandboxedGroup(group, sandboxed, parts.exit) : group;
    this.exit = parts.exit.then((exit) => {
      parts.input.destroy();
      guard?.release(parts.pid, group.isEmpty());
      if (sandboxed === undefined) return exit;
      using run = sandboxed;
      return run.explainExit(exit);
    });
    this.closed = Promise.all([this.exit, parts.output.drained]).then(() => {});
  }

  get output(): OutputQueue {
    return this.#parts.output;
  }

  write(bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    return this.#parts.input.write(bytes, signal);
  }

  async closeStdin(): Promise<void> {
    if (this.#parts.resize !== undefined)
      throw new ProcessError("unsupported", "a terminal's input cannot be closed: write \\x04");
    await this.#parts.input.end();
  }

  async resize(size: TerminalSize): Promise<void> {
    if (this.#parts.resize === undefined)
      throw new ProcessError("unsupported", "only a terminal has a size");
    checkTerminalSize(size);
    this.#parts.resize(size);
  }

  async signal(name: ProcessSignal): Promise<void> {
    await this.#group.signal(name);
  }

  terminate(options: { readonly graceMs?: number } = {}): Promise<void> {
    return this.#group.terminate(options.graceMs ?? defaultGraceMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = this.#group.terminate(0);
    this.#parts.input.destroy();
    this.#parts.output.destroy();
    await ended;
    await this.closed;
  }
}

/** Throws `invalidArgument` for what no terminal can be. */
export function checkTerminalSize(size: TerminalSize): void {
  for (const [name, value] of Object.entries(size)) {
    if (!Number.isInteger(value) || value < 1 || value > 65_535)
      throw new ProcessError("invalidArgument", `${name} must be 1 to 65535, not ${value}`);
  }
}
