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
  /** Reads a sandbox's own word about how it went. Must not reject. */
  readonly explainExit?: (exit: ProcessExit) => Promise<ProcessExit>;
}

/**
 * The sandbox's place: turns the plain command, with all that a terminal needs already in front, into one that
 * enforces `intent`, started detached with the same stdio (so a terminal's `setsid -c` runs inside). Rejects with a
 * `ProcessError` of kind `sandboxUnavailable` rather than weaken it.
 */
export type SandboxWrap = (
  argv: readonly string[],
  plain: Command,
  intent: Exclude<SandboxIntent, { mode: "danger-full-access" }>,
) => Promise<Command>;

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
  return options.wrap([first, ...others], plain, sandbox);
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
