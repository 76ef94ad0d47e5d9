/** What bubblewrap said on its status descriptor. */
export interface SandboxStatus {
  /** Its first process, by this machine's numbers; undefined when set-up failed before it. */
  readonly childPid: number | undefined;
  /** Undefined when the command never ran to its end: a set-up failure, or bubblewrap itself was killed. */
  readonly exitCode: number | undefined;
}

/** Reads the JSON lines of `--json-status-fd`; lines that are none are passed over. */
export function parseSandboxStatus(text: string): SandboxStatus {
  let childPid: number | undefined;
  let exitCode: number | undefined;
  for (const line of text.split("\n")) {
    const pid = /"child-pid":\s*(\d+)/.exec(line)?.[1];
    const code = /"exit-code":\s*(\d+)/.exec(line)?.[1];
    if (pid !== undefined) childPid = Number(pid);
    if (code !== undefined) exitCode = Number(code);
  }
  return { childPid, exitCode };
}
