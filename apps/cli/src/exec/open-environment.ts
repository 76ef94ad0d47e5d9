import type { Config } from "@codex/core";
import { createLocalEnvironment, type Environment } from "@codex/environment";
import { toAbsolutePath } from "@codex/protocol";
import type { ProcessContext } from "../process-context.ts";
import { StartError } from "../start-error.ts";

/** Where the run works. Only this machine until there is an exec-server. */
export function openEnvironment(config: Config, { env }: ProcessContext): Environment {
  const { kind } = config.environment;
  if (kind === "local" || kind === "none") {
    return createLocalEnvironment({ cwd: toAbsolutePath(config.cwd), variables: env });
  }
  throw new StartError(
    "Running on an exec-server is not supported by this version yet; leave out the environment settings to work on this machine.",
  );
}
