import type { Config } from "@codex/core";
import {
  createLocalEnvironment,
  type EnvironmentPolicy,
  ProcessError,
  type SpawnedProcess,
} from "@codex/environment";
import { toAbsolutePath } from "@codex/protocol";
import { loadSettings } from "../config/load.ts";
import type { ExecOptions } from "../exec/options.ts";
import { sandboxRefusal } from "../exec/check-sandbox.ts";
import { startFailure } from "../exec/start-failure.ts";
import type { ProcessContext } from "../process-context.ts";
import { openStreams, type Streams } from "./streams.ts";

/** Runs `argv` on this machine in the sandbox of the settings, over this process's own streams. Settles with the exit code. */
export async function runSandboxed(
  argv: readonly string[],
  options: ExecOptions,
  context: ProcessContext,
): Promise<number> {
  try {
    const { config } = await loadSettings(options, context);
    const cwd = toAbsolutePath(config.cwd);
    await using environment = createLocalEnvironment({ cwd, variables: context.env });
    using streams = openStreams(context);
    await using process = await environment
      .start({
        argv,
        cwd,
        env: variablesOf(config),
        tty: streams.terminalSize() ?? false,
        stdin: streams.hasInput ? "open" : "closed",
        sandbox: config.sandbox,
      })
      .catch((error: unknown) => {
        throw sandboxRefusal(error, config.sandbox, environment) ?? error;
      });
    return await attach(process, streams, context);
  } catch (error) {
    const code = shellCode(error);
    const failure = startFailure(error);
    context.stderr.write(`${code === undefined ? failure.message : refusal(argv, error)}\n`);
    return code ?? failure.exitCode;
  }
}

/** What a run's commands get, less what is only for reading by a model. */
function variablesOf({ shellEnvironmentPolicy, sandbox }: Config): EnvironmentPolicy {
  const hasNetwork = sandbox.mode === "danger-full-access" || sandbox.networkAccess;
  return {
    ...shellEnvironmentPolicy,
    overlay: hasNetwork ? {} : { CODEX_SANDBOX_NETWORK_DISABLED: "1" },
  };
}

/** Passes everything both ways until the command has ended. */
async function attach(
  process: SpawnedProcess,
  streams: Streams,
  { onSignal }: ProcessContext,
): Promise<number> {
  const stopResizing = streams.onResize((size) => void process.resize(size).catch(() => {}));
  const stopSignals = onSignal(["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"], (name) => {
    void process.signal(name as "SIGINT").catch(() => {});
  });
  try {
    void streams.feed(process);
    for await (const chunk of process.output) await streams.write(chunk);
    return (await process.exit).code;
  } finally {
    stopResizing();
    stopSignals();
  }
}

/** As a shell says it when there is no such program, or none to run. */
function shellCode(error: unknown): number | undefined {
  if (!(error instanceof ProcessError)) return undefined;
  if (error.kind === "notFound") return 127;
  return error.kind === "permissionDenied" ? 126 : undefined;
}

function refusal([program]: readonly string[], error: unknown): string {
  return `${program}: ${(error as Error).message}`;
}
