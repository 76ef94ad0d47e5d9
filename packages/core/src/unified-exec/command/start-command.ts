import {
  defaultTerminalSize,
  type Environment,
  type EnvironmentPolicy,
  ProcessError,
  type SpawnedProcess,
} from "@codex/environment";
import type { AbsolutePath, SandboxIntent } from "@codex/protocol";
import type { ItemSink } from "../../tools/tool.ts";
import { commandEnvironment } from "./command-environment.ts";
import { CommandItem } from "./command-item.ts";
import { commandLine, displayCommand } from "./command-line.ts";
import { UnifiedExecError } from "../unified-exec-error.ts";

/** Where and how every command of a thread is started. */
export interface CommandSetting {
  readonly environment: Environment;
  readonly items: ItemSink;
  readonly threadId: string;
  readonly shellEnvironmentPolicy: Omit<EnvironmentPolicy, "overlay">;
  readonly sandbox: SandboxIntent;
}

export interface StartRequest {
  readonly cmd: string;
  readonly workdir: AbsolutePath;
  readonly shell: string | undefined;
  readonly login: boolean;
  readonly tty: boolean;
}

export interface StartedCommand {
  readonly process: SpawnedProcess;
  readonly item: CommandItem;
}

/**
 * Announces a command and starts it. Rejects with a `createProcess` error when the environment refuses it, with the
 * environment's own error when that is lost, with the signal's reason when aborted; in each case the item is complete
 * and nothing runs that we know of.
 */
export async function startCommand(
  request: StartRequest,
  setting: CommandSetting,
  signal: AbortSignal,
): Promise<StartedCommand> {
  const { environment } = setting;
  const argv = await commandLine(request, environment, signal);
  signal.throwIfAborted();
  const name = environment.name === "local" ? undefined : environment.name;
  const item = new CommandItem(setting.items, displayCommand(argv), name);
  try {
    const process = await environment.start(
      {
        argv,
        cwd: request.workdir,
        env: commandEnvironment(setting),
        tty: request.tty && defaultTerminalSize,
        stdin: "closed",
        sandbox: setting.sandbox,
      },
      signal,
    );
    return { process, item };
  } catch (error) {
    const refusal = refusalFor(error);
    item.complete(refusal === undefined ? null : spawnFailedCode, refusal?.message ?? "");
    throw refusal ?? error;
  }
}

const spawnFailedCode = -1;

function refusalFor(error: unknown): UnifiedExecError | undefined {
  if (!(error instanceof ProcessError) || error.kind === "lost") return undefined;
  const message = `Failed to create unified exec process: ${systemText(error)}`;
  return new UnifiedExecError("createProcess", message, { cause: error });
}

/** The words are contract where the system has words of its own. */
function systemText(error: ProcessError): string {
  if (error.kind === "badCwd" || error.kind === "notFound")
    return "No such file or directory (os error 2)";
  if (error.kind === "permissionDenied") return "Permission denied (os error 13)";
  return error.message;
}
