import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { spawnChild } from "./child.ts";
import { GroupList } from "./group-list.ts";
import { isGroupAlive } from "./process-group.ts";

/**
 * Waits for the end of its input: when the agent is gone, however it went, its end of the pipe closes. Then every group
 * on the list (descriptor 3) is killed; a terminal's child that has not made its group yet is killed by its number. On
 * Linux also the groups that a shell with job control made in such a session (fields 3 and 4 after the name are group
 * and session).
 */
const script = `
trap '' INT TERM HUP
read -r _
exec 2>/dev/null
groups=' '
while read -r id <&3; do groups="$groups$id "; done
for id in $groups; do kill -KILL "-$id" || kill -KILL "$id"; done
for stat in /proc/[0-9]*/stat; do
  read -r line <"$stat" || continue
  set -- \${line##*) }
  case $groups in *" $4 "*) kill -KILL "-$3" ;; esac
done
`;

/**
 * Ends the commands of a run when the run itself is gone, even by `kill -9`. One per run; a small `/bin/sh` in its own
 * session, started with the first process, holding nothing but the pipe it listens on and the list. It does not keep
 * the event loop alive. Disposing kills every group still listed and waits until that is done. Where no folder can hold
 * the list nothing is guarded.
 */
export class Guard implements AsyncDisposable {
  readonly #directories: readonly string[];
  #list: GroupList | undefined;
  #lingering = new Set<number>();
  #child: Promise<ChildProcess | undefined> | undefined;
  #input: Socket | undefined;

  /** The list lies in the first of `directories` that can hold it, under no name. */
  constructor(directories: readonly string[]) {
    this.#directories = directories;
  }

  /** Settles when groups added from now on are guarded. Rejects with a `ProcessError` when there is no `/bin/sh`. */
  async start(): Promise<void> {
    this.#child ??= this.#spawn();
    await this.#child;
  }

  /** Lists a group, to be called in the same turn of the event loop as the start of its leader. */
  add(group: number): void {
    this.#sweep();
    this.#list?.add(group);
  }

  /**
   * Takes a group off the list once it has no member, as `isEmpty` says of it. Its number may belong to strangers
   * afterwards, so a group that outlives its leader is looked at again with every later call.
   */
  release(group: number, isEmpty: boolean): void {
    if (isEmpty) this.#list?.delete(group);
    else if (this.#list?.has(group)) this.#lingering.add(group);
    this.#sweep();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sweep();
    const child = await this.#child?.catch(() => undefined);
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit");
      child.ref();
      this.#input?.end();
      await ended;
    }
    this.#list?.[Symbol.dispose]();
    this.#list = undefined;
  }

  #sweep(): void {
    for (const group of this.#lingering) {
      if (isGroupAlive(group)) continue;
      this.#lingering.delete(group);
      this.#list?.delete(group);
    }
  }

  async #spawn(): Promise<ChildProcess | undefined> {
    this.#list ??= openList(this.#directories);
    if (this.#list === undefined) return undefined;
    const child = await spawnChild({
      file: "/bin/sh",
      args: ["-c", script],
      cwd: "/",
      env: {},
      ownSession: true,
      stdio: ["pipe", "ignore", "ignore", this.#list.descriptor],
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
    return child;
  }
}

function openList(directories: readonly string[]): GroupList | undefined {
  try {
    return new GroupList(directories);
  } catch {
    return undefined;
  }
}
