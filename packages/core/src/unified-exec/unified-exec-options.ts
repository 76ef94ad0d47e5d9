import type { AbsolutePath } from "@codex/protocol";
import type { OutputBudget } from "../model/models.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { Clock } from "./collect-output.ts";
import type { CommandSetting } from "./command/start-command.ts";

/** Looks at a command before it is run; a text means that it was done in another way and is the answer. */
export type CommandIntercept = (
  cmd: string,
  workdir: AbsolutePath,
  context: ToolContext,
) => Promise<string | undefined>;

export interface UnifiedExecOptions extends CommandSetting {
  /** Of the environment; where commands run unless they say otherwise. */
  readonly cwd: AbsolutePath;
  readonly allowLoginShell: boolean;
  /** The longest wait of a `write_stdin` that writes nothing. */
  readonly emptyPollMaxMs: number;
  readonly outputBudget: OutputBudget;
  /** The person's limit in tokens, over the model's own. */
  readonly outputTokenLimit?: number | undefined;
  /** `counting`: 1000, 1001 and so on, for runs that must repeat. */
  readonly ids: "random" | "counting";
  /** 0 inclusive to 1 exclusive. */
  readonly random?: () => number;
  readonly clock?: Clock;
  readonly intercept?: CommandIntercept | undefined;
  /** Hears what the model should be told about too many commands in the background. */
  readonly warn?: (message: string) => void;
}

export interface ExecCommandRequest {
  readonly cmd: string;
  /** Relative to the manager's `cwd`; empty is the same as none. */
  readonly workdir?: string | undefined;
  readonly shell?: string | undefined;
  readonly login: boolean;
  readonly tty: boolean;
  readonly yieldTimeMs?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
}

export interface WriteStdinRequest {
  readonly sessionId: number;
  /** Empty: only wait. Sent as they are; `\x03` and `\x04` are Ctrl-C and end of input for a terminal. */
  readonly chars: string;
  readonly yieldTimeMs?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
}
