import { standardInput, type StandardInput } from "./standard-input.ts";
import { type StandardOutput, standardOutput } from "./standard-output.ts";

/** The process a command runs in. Commands take this and reach for no global, so a test can hand them another. */
export interface ProcessContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Rejected as a start error by whoever needs it when the directory is gone. */
  readonly cwd: () => string;
  readonly stdin: StandardInput;
  readonly stdout: StandardOutput;
  readonly stderr: StandardOutput;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls `listener` for each of the signals until the returned function is called. */
  readonly onSignal: (
    signals: readonly NodeJS.Signals[],
    listener: (signal: NodeJS.Signals) => void,
  ) => () => void;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
}

/** The process this is. */
export function thisProcess(): ProcessContext {
  return {
    env: process.env,
    cwd: () => process.cwd(),
    stdin: standardInput(),
    stdout: standardOutput(process.stdout),
    stderr: standardOutput(process.stderr),
    now: () => Date.now(),
    onSignal(signals, listener) {
      for (const signal of signals) process.on(signal, listener);
      return () => {
        for (const signal of signals) process.off(signal, listener);
      };
    },
    exit: (code) => process.exit(code),
  };
}
