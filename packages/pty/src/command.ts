import type { SandboxIntent } from "@codex/protocol";
import { lookUpProgram } from "./program-lookup.ts";
import { ProcessError, type ProcessExit, type SpawnOptions } from "./process.ts";

/** A program that was found, and how to start it. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly argv0?: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** False for a program that makes its own session: `setsid` would fork in one that has it already. */
  readonly ownSession: boolean;
  /** For the child, at 3, 4 and so on. Whoever starts the command closes them here afterwards. */
  readonly descriptors: readonly number[];
  /** Set when a sandbox is around the program. Disposed after the exit, or when it could not be started. */
  readonly sandboxed?: SandboxedRun;
}

/** What a sandbox knows about the one program in it. */
export interface SandboxedRun extends Disposable {
  /** The group that signals for the program go to; undefined before it is there and after it has ended. */
  programGroup(): number | undefined;
  /** The program's exit, by the sandbox's own. */
  explainExit(exit: ProcessExit): ProcessExit;
}

export interface SandboxRequest {
  /** The program, with all that a terminal and another name need in front of it. */
  readonly argv: readonly string[];
  /** How it would be started without a sandbox. */
  readonly plain: Command;
  readonly intent: Exclude<SandboxIntent, { readonly mode: "danger-full-access" }>;
  /** Then its standard input is a terminal, and it makes that its own by itself. */
  readonly isTerminal: boolean;
}

/**
 * The sandbox's place: gives a command that enforces the intent around the program, to be started with the same stdio.
 * Rejects with a `ProcessError` of kind `sandboxUnavailable` rather than weaken it.
 */
export type SandboxWrap = (request: SandboxRequest) => Promise<Command>;

export interface CommandOptions {
  readonly spawn: SpawnOptions;
  readonly env: Readonly<Record<string, string>>;
  /** PATH of this side, where `setsid` and `bash` are looked for. */
  readonly executorPath: string | undefined;
  /**
   * How the program gets a terminal, if it does: `setsid` puts `setsid -c` in front, which makes the terminal on its
   * stdin the controlling one; `fork` needs nothing in front, but has no other way to change the program's name.
   */
  readonly terminalBy: "setsid" | "fork" | undefined;
  readonly wrap: SandboxWrap | undefined;
}

/** Finds the program and puts in front of it what terminal, `arg0` and sandbox need. Rejects with a `ProcessError`. */
export async function prepareCommand(options: CommandOptions): Promise<Command> {
  const { argv, cwd, arg0, sandbox } = options.spawn;
  const [name = "", ...args] = argv;
  const file = lookUpProgram(name, cwd, options.env["PATH"]);
  const rest = { cwd, env: options.env, descriptors: [] };
  if (sandbox.mode === "danger-full-access" && options.terminalBy === undefined)
    return { file, args, argv0: arg0 ?? name, ownSession: true, ...rest };

  const prefix = [
    ...(options.terminalBy === "setsid" ? [find("setsid", options), "-c"] : []),
    ...(arg0 === undefined ? [] : [find("bash", options), "-c", 'exec -a "$0" "$@"', arg0]),
  ];
  const [first = "", ...others] = [...prefix, ...argv];
  const plain: Command = { file: first, args: others, ownSession: false, ...rest };
  if (sandbox.mode === "danger-full-access") return plain;
  if (options.wrap === undefined) throw noSandbox(sandbox.mode);
  const isTerminal = options.terminalBy !== undefined;
  return options.wrap({ argv: [first, ...others], plain, intent: sandbox, isTerminal });
}

/** The executor's own tool, absolute; what it needs is missing, not the caller's program. */
function find(tool: string, options: CommandOptions): string {
  try {
    return lookUpProgram(tool, "/", options.executorPath);
  } catch (cause) {
    const reason =
      tool === "setsid"
        ? "a terminal needs the program setsid (package util-linux)"
        : "another name for the program needs bash here";
    throw new ProcessError(tool === "setsid" ? "terminalUnavailable" : "unsupported", reason, {
      cause,
    });
  }
}

function noSandbox(mode: string): ProcessError {
  return new ProcessError(
    "sandboxUnavailable",
    `a ${mode} sandbox cannot be enforced here; nothing was run`,
  );
}
