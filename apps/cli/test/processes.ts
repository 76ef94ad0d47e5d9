import { execFileSync } from "node:child_process";

/** The number after `pid=` in a text. */
export function pidIn(text: string): number {
  return Number(/pid=(\d+)/.exec(text)?.[1]);
}

/** True while a process of this group lives; one that is dead but not yet waited for by its parent does not. */
export function isGroupAlive(leader: number): boolean {
  const rows = execFileSync("ps", ["-eo", "pgid=,stat="], { encoding: "utf8" }).split("\n");
  return rows.some((row) => new RegExp(`^\\s*${leader}\\s+[^Z]`).test(row));
}
