import { setTimeout as delay } from "node:timers/promises";
import type { SandboxedRun } from "./command.ts";
import type { ProcessGroup } from "./process-group.ts";
import { sendSignal } from "./process-group.ts";
import type { ProcessExit, ProcessSignal } from "./process.ts";

const pollMs = 2;

/**
 * A program in a sandbox. What can be caught goes to the program's own group: the sandbox around it would end by it and
 * take the program along. SIGKILL goes to the sandbox, which takes everything in it along.
 */
export class SandboxedGroup {
  readonly #sandbox: ProcessGroup;
  readonly #run: SandboxedRun;
  readonly #exited: Promise<unknown>;
  #hasExited = false;

  constructor(sandbox: ProcessGroup, run: SandboxedRun, exit: Promise<ProcessExit>) {
    this.#sandbox = sandbox;
    this.#run = run;
    this.#exited = exit.then(() => {
      this.#hasExited = true;
    });
  }

  /** Waits until the program is there to take it. */
  async signal(name: ProcessSignal): Promise<void> {
    if (name === "SIGKILL") return this.#sandbox.signal(name);
    while (!this.#hasExited) {
      const group = this.#run.programGroup();
      if (group !== undefined && sendSignal(-group, name)) return;
      await delay(pollMs);
    }
  }

  /** SIGTERM, up to `graceMs` for the program to end, then the end of everything. Settles when the program has ended. */
  async terminate(graceMs: number): Promise<void> {
    if (graceMs > 0 && !this.#hasExited) {
      const timer = new AbortController();
      const expired = delay(graceMs, undefined, { signal: timer.signal }).catch(() => {});
      void this.signal("SIGTERM");
      await Promise.race([this.#exited, expired]);
      timer.abort();
    }
    await this.#sandbox.terminate(0);
  }
}
