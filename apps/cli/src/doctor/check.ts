import type { ProcessContext } from "../process-context.ts";

/** One thing a run may need. */
export interface Check {
  readonly name: string;
  /** A rejection is a failed check, its message the text. */
  run(context: ProcessContext): Promise<CheckResult>;
}

export interface CheckResult {
  readonly isGood: boolean;
  /** One line: what was found, or what to do. */
  readonly text: string;
}
