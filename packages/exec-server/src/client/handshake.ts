import type { Connection } from "@codex/jsonrpc";
import { type CurrentResult, execServerV0, extensionNames, initializeAny } from "@codex/protocol";
import {
  defaultClientName,
  defaultTimeoutMs,
  type ExecServerClientConnectOptions,
} from "./connect-options.ts";
import {
  callError,
  endOf,
  ExecServerError,
  fatalCause,
  initializeTimedOut,
  unknownVersion,
} from "./exec-server-error.ts";

/** What the server said to `initialize`. */
export type Greeting =
  | { readonly dialect: "v0" }
  | { readonly dialect: "current"; readonly answer: CurrentResult<"initialize"> };

/**
 * `initialize`, its answer, `initialized`; with the session to go on with, if there is one. Rejects with what a person
 * should read about it.
 */
export async function performHandshake(
  connection: Connection,
  options: ExecServerClientConnectOptions,
  resumeSessionId: string | null = null,
): Promise<Greeting> {
  const { initializeTimeoutMs: timeoutMs = defaultTimeoutMs, signal } = options;
  const params = paramsOf(options, resumeSessionId);
  const answer = await connection
    .request(initializeAny, params, { timeoutMs, ...(signal && { signal }) })
    .catch((error: unknown) => {
      throw failureOf(error, timeoutMs);
    });
  const greeting = greetingOf(answer);
  const { initialized } = execServerV0.clientNotifications;
  await connection.notify(initialized, {}).catch((error: unknown) => {
    throw endOf(error);
  });
  return greeting;
}

function paramsOf(
  { dialect, clientName = defaultClientName }: ExecServerClientConnectOptions,
  resumeSessionId: string | null,
) {
  if (dialect === "v0") return { clientName };
  return { clientName, resumeSessionId, extensions: [...extensionNames] };
}

function greetingOf(
  answer: CurrentResult<"initialize"> | { readonly protocolVersion: string },
): Greeting {
  if ("sessionId" in answer) return { dialect: "current", answer };
  if (answer.protocolVersion === execServerV0.protocolVersion) return { dialect: "v0" };
  throw unknownVersion(answer.protocolVersion);
}

function failureOf(error: unknown, timeoutMs: number): unknown {
  const fatal = fatalCause(error);
  const failure = fatal === undefined ? callError(error) : endOf(fatal.cause);
  const isTimeout = failure instanceof ExecServerError && failure.kind === "requestTimeout";
  return isTimeout ? initializeTimedOut(timeoutMs) : failure;
}
