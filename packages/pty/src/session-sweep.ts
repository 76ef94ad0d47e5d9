import { sendSignal } from "./process-group.ts";
import { runningProcesses } from "./process-table.ts";

/**
 * Finds what has left its leader's process group but not its session: the jobs of a shell with job control. That takes
 * a look at every process of the machine, so one look serves all who ask in the same turn of the event loop.
 */
export class SessionSweep {
  #leaders = new Set<number>();
  #next: Promise<void> | undefined;

  /** SIGKILL to every group in the session of `leader`, where that can be told. Settles when it has been sent. */
  kill(leader: number): Promise<void> {
    this.#leaders.add(leader);
    this.#next ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#sweep();
        resolve();
      });
    });
    return this.#next;
  }

  #sweep(): void {
    const leaders = this.#leaders;
    this.#leaders = new Set();
    this.#next = undefined;
    const members = (runningProcesses() ?? []).filter(({ session }) => leaders.has(session));
    for (const group of new Set(members.map(({ group }) => group))) sendSignal(-group, "SIGKILL");
  }
}
