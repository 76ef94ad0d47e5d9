import type { Environment } from "@codex/environment";
import { createTransportPair } from "@codex/jsonrpc";
import type { ServerLimits } from "../server/limits.ts";
import { serve } from "../server/serve.ts";
import { ExecServerClient } from "./client.ts";
import type { ExecServerClientConnectOptions } from "./connect-options.ts";

export interface ConnectInProcessOptions extends ExecServerClientConnectOptions {
  readonly limits?: Partial<ServerLimits>;
  /** This machine's variables, as commands may inherit them; left out, the system is asked. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

/**
 * A server in this process, with the same handshake, errors and rules as one that is far away. The client owns
 * `environment`: disposing ends the connection, the processes started over it, and the environment.
 */
export async function connectInProcess(
  environment: Environment,
  { limits = {}, variables, ...options }: ConnectInProcessOptions = {},
): Promise<ExecServerClient> {
  const [ours, theirs] = createTransportPair();
  const served = serve({ transport: theirs, environment, limits });
  return ExecServerClient.open(ours, options, {
    ...(variables && { variables }),
    onDispose: async () => {
      await served;
      await environment[Symbol.asyncDispose]();
    },
  });
}
