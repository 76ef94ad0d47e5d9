import type { EnvironmentSelection } from "@codex/core";
import { type Environment, exactEnvironment, ProcessError } from "@codex/environment";
import type { SandboxIntent } from "@codex/protocol";
import { StartError } from "../start-error.ts";

/** An executor that cannot be told what the run may do must not be asked to do anything. */
export function refuseUntoldSandbox(sandbox: SandboxIntent, { kind }: EnvironmentSelection): void {
  if (sandbox.mode === "danger-full-access" || (kind !== "websocket" && kind !== "command")) return;
  throw new StartError(
    `The sandbox mode is ${sandbox.mode}, and the protocol of ${places[kind]} cannot carry it, so it would not be ` +
      "enforced there. To run without a sandbox there: -s danger-full-access",
  );
}

const places = { websocket: "an executor behind a URL", command: "an executor behind a command" };

/** Runs nothing, sandboxed, where the work is: a sandbox that cannot be set up there is told before the model is asked. */
export async function checkSandbox(
  environment: Environment,
  sandbox: SandboxIntent,
  signal: AbortSignal,
): Promise<void> {
  if (sandbox.mode === "danger-full-access") return;
  const failure = await failureOfNothing(environment, sandbox, signal).catch((error: unknown) => {
    throw sandboxRefusal(error, sandbox, environment) ?? error;
  });
  if (failure === undefined) return;
  throw new StartError(`The ${sandbox.mode} sandbox cannot be set up${at(environment)}: ${failure}
To run without a sandbox: -s danger-full-access`);
}

/** What a person is told when there is no sandbox to be had; undefined for every other error. */
export function sandboxRefusal(
  error: unknown,
  { mode }: SandboxIntent,
  environment: Environment,
): StartError | undefined {
  if (!(error instanceof ProcessError) || error.kind !== "sandboxUnavailable") return undefined;
  const message = `The sandbox mode is ${mode}${at(environment)}, and ${error.message}`;
  return new StartError(message, { cause: error });
}

/** What a command that does nothing printed when it failed. */
async function failureOfNothing(
  environment: Environment,
  sandbox: SandboxIntent,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { cwd } = await environment.info(signal);
  const env = exactEnvironment({ PATH: "/usr/bin:/bin" });
  const options = { argv: ["true"], cwd, env, tty: false, stdin: "closed", sandbox } as const;
  await using process = await environment.start(options, signal);
  const pieces: Uint8Array[] = [];
  for await (const { bytes } of process.output) pieces.push(bytes);
  const { code } = await process.exit;
  return code === 0 ? undefined : Buffer.concat(pieces).toString().trim() || `exit code ${code}`;
}

function at({ name }: Environment): string {
  return name === "local" ? "" : ` on ${name}`;
}
