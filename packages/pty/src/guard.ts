import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { spawnChild } from "./child.ts";
import { isGroupAlive } from "./process-group.ts";

/**
 * Reads `+PGID` and `-PGID` lines. When the agent is gone, however it went, its end of the pipe closes, and every group
 * still listed is killed; a terminal's child that has not made its group yet is killed by its number. On Linux also the
 * groups that a shell with job control made in such a session (fields 3 and 4 after the name are group and session).
 */
const script = `
trap '' INT TERM HUP
groups=' '
while read -r line; do
  id=\${line#?}
  case $line in
    +*) groups="$groups$id " ;;
    -*) case $groups in *" $id "*) groups="\${groups%%" $id "*} \${groups#*" $id "}" ;; esac ;;
  esac
done
exec 2>/dev/null
for id in $groups; do kill -KILL "-$id" || kill -KILL "$id"; done
for stat in /proc/[0-9]*/stat; do
  read -r line <"$stat" || continue
  set -- \${line##*) }
  case $groups in *" $4 "*) kill -KILL "-$3" ;; esac
done
`;

/** A removal travels with the next addition, or alone after so long: far sooner than a number is used again. */
const removalDelayMs = 50;

/**
 * Ends the commands of a run when the run itself is gone, even by `kill -9`. One per run; a small `/bin/sh` in its own
 * session, started with the first process, holding nothing but the pipe it listens on. It does not keep the event loop
 * alive. Disposing kills every group still listed and waits until that is done.
 */
export class Guard implements AsyncDisposable {
  #groups = new Set<number>();
  #lingering = new Set<number>();
  #child: Promise<ChildProcess> | undefined;
  #input: Socket | undefined;
  #unsaid = "";
  #sayLater: NodeJS.Timeout | undefined;

  /** Settles when groups added from now on are guarded. Rejects with a `ProcessError` when there is no `/bin/sh`. */
  async start(): Promise<void> {
    this.#child ??= this.#spawn();
    await this.#child;
  }

  /** Lists a group, to be called in the same turn of the event loop as the start of its leader. */
  add(group: number): void {
    this.#sweep();
    this.#groups.add(group);
    this.#tell(`+${group}\n`);
  }

  /**
   * Takes a group off the list once it has no member, as `isEmpty` says of it. Its number may belong to strangers
   * afterwards, so a group that outlives its leader is looked at again with every later call.
   */
  release(group: number, isEmpty: boolean): void {
    if (isEmpty) this.#forget(group);
    else if (this.#groups.has(group)) this.#lingering.add(group);
    this.#sweep();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sweep();
    const child = await this.#child?.catch(() => undefined);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.ref();
    this.#tell("");
    this.#input?.end();
    await ended;
  }

  #sweep(): void {
    for (const group of this.#lingering) {
      if (isGroupAlive(group)) continue;
      this.#lingering.delete(group);
      this.#forget(group);
    }
  }

  #forget(group: number): void {
    if (!this.#groups.delete(group)) return;
    this.#unsaid += `-${group}\n`;
    this.#sayLater ??= setTimeout(() => this.#tell(""), removalDelayMs).unref();
  }

  #tell(line: string): void {
    clearTimeout(this.#sayLater);
    this.#sayLater = undefined;
    const lines = this.#unsaid + line;
    this.#unsaid = "";
    this.#input?.write(lines);
  }

  async #spawn(): Promise<ChildProcess> {
    const child = await spawnChild({
      file: "/bin/sh",
      args: ["-c", script],
      cwd: "/",
      env: {},
      ownSession: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    const input = child.stdin as Socket;
    input.on("error", () => {}); // EPIPE: somebody killed it; the next start makes another
    child.once("exit", () => {
      this.#child = undefined;
      this.#input = undefined;
    });
    child.unref();
    input.unref();
    this.#input = input;
    for (const group of this.#groups) this.#tell(`+${group}\n`);
    return child;
  }
}
