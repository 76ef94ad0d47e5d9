import type { Connection } from "@codex/jsonrpc";
import { execServerV0 } from "@codex/protocol";
import type { ExecServerClient } from "./client.ts";
import {
  defaultClientName,
  defaultTimeoutMs,
  type ExecServerClientConnectOptions,
} from "./connect-options.ts";
import { endOf, ExecServerError, initializeTimedOut, unknownVersion } from "./exec-server-error.ts";

const { requests, clientNotifications, protocolVersion } = execServerV0;

/** `initialize`, its answer, `initialized`. Rejects with what a person should read about it. */
export async function performHandshake(
  client: ExecServerClient,
  connection: Connection,
  options: ExecServerClientConnectOptions,
): Promise<void> {
  const {
    clientName = defaultClientName,
    initializeTimeoutMs: timeoutMs = defaultTimeoutMs,
    signal,
  } = options;
  const call = signal === undefined ? { timeoutMs } : { timeoutMs, signal };
  const answer = await client
    .call(requests.initialize, { clientName }, call)
    .catch((error: unknown) => {
      throw isTimeout(error) ? initializeTimedOut(timeoutMs) : error;
    });
  if (answer.protocolVersion !== protocolVersion) throw unknownVersion(answer.protocolVersion);
  await connection.notify(clientNotifications.initialized, {}).catch((error: unknown) => {
    throw endOf(error);
  });
}

function isTimeout(error: unknown): boolean {
  return error instanceof ExecServerError && error.kind === "requestTimeout";
}
