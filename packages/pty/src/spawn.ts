import { closeSync } from "node:fs";
import { childEnvironment } from "./child-environment.ts";
import { prepareCommand, type SandboxWrap } from "./command.ts";
import { forkOnTerminal } from "./forked-terminal.ts";
import type { Guard } from "./guard.ts";
import { checkTerminalSize, LocalProcess, type ProcessParts } from "./local-process.ts";
import { loadNativeTerminal, type NativeTerminal } from "./native-terminal.ts";
import { startPiped } from "./piped-process.ts";
import type { PipePool } from "./pipes.ts";
import { ProcessError, type SpawnedProcess, type SpawnOptions } from "./process.ts";
import { SessionSweep } from "./session-sweep.ts";
import { startOnTerminal } from "./terminal.ts";

/** What the processes of one run share. {@link openSpawnContext} makes a full one. */
export interface SpawnContext {
  /** The executor's own variables: what a policy inherits from, and the PATH of the few tools a start needs. */
  readonly baseEnvironment: Readonly<Record<string, string | undefined>>;
  /** Kills the processes when this one is gone. Without it they may outlive it. */
  readonly guard?: Guard;
  /** Without it, pipes are sockets, on which `/dev/stdout`, `/dev/stderr` and `/dev/stdin` do not work. */
  readonly pipes?: PipePool;
  /** Shared, so that ending many processes at once costs one look at the machine's. */
  readonly sessions?: SessionSweep;
  /** Enforces sandbox intents. Without it every intent but full access is refused. */
  readonly wrap?: SandboxWrap;
  /** Gives the native terminal; by default the binary of node-pty is loaded on first use. */
  readonly loadNativeTerminal?: () => NativeTerminal;
  /** Whether a terminal's child is started by `setsid -c` (Linux) or forked by the native binary (macOS). */
  readonly terminalsBy?: "setsid" | "fork";
}

/**
 * Starts a process on this machine and gives it as soon as it runs; whoever called disposes it. Rejects with a
 * {@link ProcessError}, having run nothing. Aborting `signal` before the start rejects with its reason; afterwards it
 * has no effect.
 */
export async function spawnProcess(
  options: SpawnOptions,
  context: SpawnContext,
  signal?: AbortSignal,
): Promise<SpawnedProcess> {
  checkOptions(options);
  const terminalsBy = context.terminalsBy ?? (process.platform === "linux" ? "setsid" : "fork");
  const native = options.tty ? (context.loadNativeTerminal ?? loadNativeTerminal)() : undefined;
  const command = await prepareCommand({
    spawn: options,
    env: childEnvironment(options.env, context.baseEnvironment),
    executorPath: context.baseEnvironment["PATH"],
    terminalBy: options.tty ? terminalsBy : undefined,
    wrap: context.wrap,
  });
  try {
    await context.guard?.start();
    const parts = await start();
    const { guard, sessions = new SessionSweep() } = context;
    return new LocalProcess(parts, { guard, sessions, sandboxed: command.sandboxed });
  } catch (error) {
    command.sandboxed?.[Symbol.dispose]();
    throw error;
  } finally {
    command.descriptors.forEach((descriptor) => closeSync(descriptor));
  }

  async function start(): Promise<ProcessParts> {
    signal?.throwIfAborted();
    if (options.tty === false || native === undefined)
      return startPiped(command, {
        hasInput: options.stdin === "open",
        pool: context.pipes,
        signal,
      });
    return terminalsBy === "setsid"
      ? startOnTerminal(command, options.tty, native)
      : forkOnTerminal(command, options.tty, native);
  }
}

function checkOptions({ argv, cwd, arg0, env, tty }: SpawnOptions): void {
  if (argv.length === 0 || argv[0] === "") throw invalid("argv names no program");
  if (!cwd.startsWith("/")) throw invalid(`the working directory must be absolute, not ${cwd}`);
  const variables = [...Object.entries(env.set), ...Object.entries(env.overlay)];
  if ([...argv, cwd, arg0 ?? "", ...variables.flat()].some((text) => text.includes("\0")))
    throw invalid("argv, cwd and variables cannot hold a NUL character");
  if (variables.some(([name]) => name === "" || name.includes("=")))
    throw invalid("a variable's name is not empty and holds no `=`");
  if (tty) checkTerminalSize(tty);
}

function invalid(message: string): ProcessError {
  return new ProcessError("invalidArgument", message);
}
