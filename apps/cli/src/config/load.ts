import { homedir } from "node:os";
import { loadConfig, type LoadedConfig } from "@codex/core";
import type { ExecOptions } from "../exec/options.ts";
import type { ProcessContext } from "../process-context.ts";
import { StartError } from "../start-error.ts";

/** The settings of a command line in this process. Throws core's `ConfigError`, or a {@link StartError} when this process's own directory is gone. */
export async function loadSettings(
  options: ExecOptions,
  context: ProcessContext,
): Promise<LoadedConfig> {
  return loadConfig({
    variables: context.env,
    cwd: ownDirectory(context),
    homeDirectory: context.env["HOME"] || homedir(),
    flags: {
      model: options.model,
      sandbox: options.sandbox,
      profile: options.profile,
      overrides: options.overrides,
      cd: options.cd,
      addDirs: options.addDir,
      enable: options.enable,
      disable: options.disable,
      strictConfig: options.strictConfig,
      oss: options.oss,
      localProvider: options.localProvider,
      environment: options.environment,
    },
  });
}

/** The process's own directory. */
export function ownDirectory(context: ProcessContext): string {
  try {
    return context.cwd();
  } catch (cause) {
    throw new StartError("The current directory does not exist any more", { cause });
  }
}
