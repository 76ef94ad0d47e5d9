import { constants } from "node:os";
import { exitBySignal } from "./child.ts";
import type { Command } from "./command.ts";
import type { ProcessParts } from "./local-process.ts";
import type { NativeTerminal } from "./native-terminal.ts";
import { startError } from "./os-error.ts";
import { ProcessError, type ProcessExit, type TerminalSize } from "./process.ts";
import { takeMaster } from "./terminal.ts";

/**
 * Starts `command` on a new terminal where there is no `setsid` (macOS): the native binary forks. Extra descriptors
 * cannot be given to such a child. Throws a `ProcessError`.
 */
export function forkOnTerminal(
  command: Command,
  size: TerminalSize,
  native: NativeTerminal,
): ProcessParts {
  if (command.descriptors.length > 0)
    throw new ProcessError(
      "sandboxUnavailable",
      "this sandbox cannot be combined with a terminal of this system; nothing was run",
    );
  let settleExit: (exit: ProcessExit) => void = () => {};
  const exit = new Promise<ProcessExit>((resolve) => {
    settleExit = resolve;
  });
  try {
    const child = native.fork(
      command.file,
      command.args,
      Object.entries(command.env).map(([name, value]) => `${name}=${value}`),
      command.cwd,
      size.columns,
      size.rows,
      -1, // uid and gid: as they are
      -1,
      true,
      native.helperPath,
      (code, signal) => settleExit(signal === 0 ? { code } : exitBySignal(signal, nameOf(signal))),
    );
    return { ...takeMaster(child.fd, native, exit), pid: child.pid, exit };
  } catch (cause) {
    throw startError(cause);
  }
}

function nameOf(signal: number): string {
  const found = Object.entries(constants.signals).find(([, number]) => number === signal);
  return found?.[0] ?? `signal ${signal}`;
}
