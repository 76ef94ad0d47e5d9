import { closeSync, constants, openSync, writeSync } from "node:fs";
import { exitOf, spawnChild } from "./child.ts";
import type { Command } from "./command.ts";
import type { ProcessInput, ProcessParts } from "./local-process.ts";
import type { NativeTerminal, OpenedTerminal } from "./native-terminal.ts";
import { OutputQueue } from "./output-queue.ts";
import type { TerminalSize } from "./process.ts";
import { readTerminal } from "./terminal-reader.ts";
import { TerminalWriter } from "./terminal-writer.ts";

/**
 * Starts `command` on a new terminal, for systems with `setsid` (Linux): the native binary opens the terminal, the
 * child is one like any other, so exit code, signal, sandbox and descriptors work as they do for pipes. Rejects with a
 * `ProcessError`.
 */
export async function startOnTerminal(
  command: Command,
  size: TerminalSize,
  native: NativeTerminal,
): Promise<ProcessParts> {
  const terminal = native.open(size.columns, size.rows);
  let onExit: (exit: unknown) => void = () => {};
  const exited = new Promise<unknown>((resolve) => (onExit = resolve));
  const parts = takeMaster(terminal.master, native, exited);
  try {
    const slave = reopen(terminal);
    try {
      const stdio = [slave, slave, slave, ...command.descriptors];
      const child = await spawnChild({ ...command, stdio });
      const exit = exitOf(child);
      void exit.then(onExit);
      return { ...parts, pid: child.pid, exit };
    } finally {
      closeSync(slave);
    }
  } catch (error) {
    onExit(error);
    parts.output.destroy();
    throw error;
  }
}

/**
 * The slave once more, close-on-exec and blocking: the binary's own descriptor is neither, and every child would
 * inherit it.
 */
function reopen(terminal: OpenedTerminal): number {
  try {
    return openSync(terminal.pty, constants.O_RDWR | constants.O_NOCTTY);
  } finally {
    closeSync(terminal.slave);
  }
}

/** What reads, writes and resizes `master`, and closes it once the program has `exited`. */
export function takeMaster(
  master: number,
  native: NativeTerminal,
  exited: Promise<unknown>,
): Pick<ProcessParts, "output" | "input" | "resize"> {
  let isOpen = true;
  const writer = new TerminalWriter((bytes) => writeSync(master, bytes));
  const output = new OutputQueue();
  const onClose = (): void => {
    isOpen = false;
    writer.close();
  };
  readTerminal(master, output, { exited, onClose });
  const input: ProcessInput = {
    write: (bytes, signal) => writer.write(bytes, signal),
    end: () => Promise.resolve(),
    destroy: () => writer.close(),
  };
  const resize = (size: TerminalSize): void => {
    if (isOpen) native.resize(master, size.columns, size.rows);
  };
  return { output, input, resize };
}
