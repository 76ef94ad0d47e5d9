import { type Environment, exactEnvironment, ProcessError } from "@codex/environment";
import type { SandboxIntent } from "@codex/protocol";
import { StartError } from "../start-error.ts";

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
  // On this machine the reason names its own way out.
  const hint =
    environment.name === "local" ? "" : "\nTo run without a sandbox there: -s danger-full-access";
  const message = `The sandbox mode is ${mode}${at(environment)}, and ${error.message}${hint}`;
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
