import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "./os-error.ts";
import type { ProcessSignal } from "./process.ts";
import { runningProcesses } from "./process-table.ts";
import type { SessionSweep } from "./session-sweep.ts";

const firstPollMs = 5;
const longestPollMs = 100;

/**
 * A program that leads a session and group of its own, and its descendants, as far as they stay in its group. `leader` is both the program's number and the
 * group's. Once it has been seen empty it is never signalled again: the number may be somebody else's by then.
 */
export class ProcessGroup {
  readonly #leader: number;
  readonly #sessions: SessionSweep;
  readonly #exited: Promise<unknown>;
  #hasExited = false;
  #isGone = false;

  constructor(leader: number, exited: Promise<unknown>, sessions: SessionSweep) {
    this.#leader = leader;
    this.#sessions = sessions;
    this.#exited = exited.then(() => {
      this.#hasExited = true;
      this.isEmpty();
    });
  }

  /** To every member; nothing happens when there is none left. */
  signal(name: ProcessSignal): void {
    if (this.#isGone || sendSignal(-this.#leader, name)) return;
    // A terminal's child makes its group a moment after its start; until then only its own number is known.
    if (!this.#hasExited) sendSignal(this.#leader, name);
  }

  /** Whether the program has ended and left no member behind. */
  isEmpty(): boolean {
    if (this.#hasExited && !this.#isGone) this.#isGone = !isGroupAlive(this.#leader);
    return this.#isGone;
  }

  /**
   * SIGTERM, up to `graceMs` for all members to end, then SIGKILL, where that can be told also to the groups that a
   * shell with job control made in the same session. Settles when the program has ended.
   */
  async terminate(graceMs: number): Promise<void> {
    if (!this.#isGone) {
      if (graceMs > 0) {
        this.signal("SIGTERM");
        await this.#emptyWithin(graceMs);
      }
      this.signal("SIGKILL");
      await this.#sessions.kill(this.#leader);
    }
    await this.#exited;
  }

  async #emptyWithin(ms: number): Promise<void> {
    const timer = new AbortController();
    const expired = delay(ms, "expired", { signal: timer.signal }).catch(() => "expired");
    try {
      if ((await Promise.race([this.#exited, expired])) === "expired") return;
      for (let pollMs = firstPollMs; this.#hasRunningMember();) {
        if ((await Promise.race([delay(pollMs), expired])) === "expired") return;
        pollMs = Math.min(pollMs * 2, longestPollMs);
      }
    } finally {
      timer.abort();
    }
  }

  #hasRunningMember(): boolean {
    if (this.isEmpty()) return false;
    const running = runningProcesses();
    return running === undefined || running.some(({ group }) => group === this.#leader);
  }
}

export function isGroupAlive(group: number): boolean {
  return sendSignal(-group, 0);
}

/** False when there is nobody of that number. */
export function sendSignal(target: number, name: ProcessSignal | 0): boolean {
  try {
    return process.kill(target, name);
  } catch (error) {
    return errorCode(error) !== "ESRCH"; // EPERM: alive, under another user
  }
}
