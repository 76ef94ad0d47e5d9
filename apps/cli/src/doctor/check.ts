import type { LoadedConfig } from "@codex/core";
import type { ExecOptions } from "../exec/options.ts";
import type { ProcessContext } from "../process-context.ts";

/** One thing a run may need. */
export interface Check {
  readonly name: string;
  /** A rejection is a failed check, its message, on one line, the text. */
  run(patient: Patient): Promise<CheckResult>;
}

/** The machine and the settings that are looked at. */
export interface Patient {
  readonly context: ProcessContext;
  readonly options: ExecOptions;
  /** Rejects as `codex exec` would refuse; asked once. */
  readonly settings: () => Promise<LoadedConfig>;
  /** Gives up what takes too long. */
  readonly signal: AbortSignal;
}

export interface CheckResult {
  readonly isGood: boolean;
  /** One line: what was found, or what to do. */
  readonly text: string;
}
