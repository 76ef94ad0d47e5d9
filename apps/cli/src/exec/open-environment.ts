import { fileURLToPath } from "node:url";
import { type Config, openEnvironment as open } from "@codex/core";
import type { Environment } from "@codex/environment";
import type { ProcessContext } from "../process-context.ts";

/** The server a spawned environment runs, beside this bundle, from a checkout and installed. */
const serverEntry = fileURLToPath(new URL("../bin/codex-exec-server.js", import.meta.url));

/** Where the run works. What a server or a command started for it prints to its standard error is passed on. */
export function openEnvironment(
  config: Config,
  { env: variables, stderr }: ProcessContext,
  signal: AbortSignal,
): Promise<Environment> {
  const decoder = new TextDecoder();
  const onStderr = (bytes: Uint8Array): void =>
    stderr.write(decoder.decode(bytes, { stream: true }));
  return open(config, { variables, serverEntry, onStderr, signal });
}
