import { readdirSync, readFileSync } from "node:fs";

export interface ProcessEntry {
  readonly pid: number;
  readonly group: number;
  readonly session: number;
}

/**
 * Every process that still runs, zombies left out: orphans are reaped by process 1, which in a container may be late
 * or never. Undefined where there is no /proc to ask.
 */
export function runningProcesses(): ProcessEntry[] | undefined {
  if (process.platform !== "linux") return undefined;
  return readdirSync("/proc").flatMap((name) => {
    const entry = /^\d/.test(name) ? readEntry(Number(name)) : undefined;
    return entry ?? [];
  });
}

function readEntry(pid: number): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const afterName = stat.slice(stat.lastIndexOf(")") + 2); // the name may hold anything
    const [state, , group, session] = afterName.split(" ");
    if (state === "Z" || state === "X") return undefined;
    return { pid, group: Number(group), session: Number(session) };
  } catch {
    return undefined; // gone meanwhile
  }
}
