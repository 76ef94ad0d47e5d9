import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "./os-error.ts";
import type { ProcessSignal } from "./process.ts";

const firstPollMs = 5;
const longestPollMs = 100;

/**
 * A program and its descendants, as far as they stay in its group. `leader` is both the program's number and the
 * group's. Once it has been seen empty it is never signalled again: the number may be somebody else's by then.
 */
export class ProcessGroup {
  readonly #leader: number;
  readonly #exited: Promise<unknown>;
  #hasExited = false;
  #isGone = false;

  constructor(leader: number, exited: Promise<unknown>) {
    this.#leader = leader;
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

  /** SIGTERM, up to `graceMs` for all members to end, then SIGKILL. Settles when the program has ended. */
  async terminate(graceMs: number): Promise<void> {
    if (graceMs > 0 && !this.#isGone) {
      this.signal("SIGTERM");
      await this.#emptyWithin(graceMs);
    }
    this.signal("SIGKILL");
    await this.#exited;
  }

  async #emptyWithin(ms: number): Promise<void> {
    const timer = new AbortController();
    const expired = delay(ms, "expired", { signal: timer.signal }).catch(() => "expired");
    try {
      if ((await Promise.race([this.#exited, expired])) === "expired") return;
      for (let pollMs = firstPollMs; !this.isEmpty() && hasRunningMember(this.#leader);) {
        if ((await Promise.race([delay(pollMs), expired])) === "expired") return;
        pollMs = Math.min(pollMs * 2, longestPollMs);
      }
    } finally {
      timer.abort();
    }
  }
}

export function isGroupAlive(group: number): boolean {
  return sendSignal(-group, 0);
}

/**
 * Whether a member is more than a zombie. Orphans are reaped by process 1, which in a container may be late or never;
 * until then they count as members to `kill`. Where there is no /proc, every member counts.
 */
function hasRunningMember(group: number): boolean {
  if (process.platform !== "linux") return true;
  return readdirSync("/proc").some((name) => /^\d/.test(name) && isRunningIn(group, name));
}

function isRunningIn(group: number, pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, , pgid] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(pgid) === group && state !== "Z" && state !== "X";
  } catch {
    return false; // gone meanwhile
  }
}

/** False when there is nobody of that number. */
function sendSignal(target: number, name: ProcessSignal | 0): boolean {
  try {
    return process.kill(target, name);
  } catch (error) {
    return errorCode(error) !== "ESRCH"; // EPERM: alive, under another user
  }
}
