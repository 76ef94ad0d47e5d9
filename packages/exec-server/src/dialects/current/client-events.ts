import {
  checkAgainst,
  decodeBase64,
  execServerCurrent,
  type JsonRpcNotification,
} from "@codex/protocol";
import { ProtocolError } from "@codex/jsonrpc";
import type { ExecServerEvent } from "../../client/exec-server-event.ts";

const { processOutput, processExited, processClosed } = execServerCurrent.serverNotifications;

/** What a notification tells of a process; undefined for any other. Throws for one that is not as promised. */
export function currentEvent({ method, params }: JsonRpcNotification): ExecServerEvent | undefined {
  switch (method) {
    case processOutput.method: {
      const { processId, seq, stream, chunk } = checked(processOutput, params);
      const bytes = decodeBase64(chunk);
      if (bytes === undefined) throw bad(method, "chunk is not base64");
      return { type: "output", processId, seq, stream, bytes };
    }
    case processExited.method: {
      const { processId, seq, exitCode, signal, sandboxDenied } = checked(processExited, params);
      const facts = {
        signal: signal ?? undefined,
        sandboxDenied: sandboxDenied === true ? true : undefined,
      };
      return { type: "exited", processId, seq, exitCode, ...facts };
    }
    case processClosed.method:
      return { type: "closed", ...checked(processClosed, params) };
    default:
      return undefined;
  }
}

function checked<Params extends (typeof processClosed)["params"]>(
  { method, params: schema }: { readonly method: string; readonly params: Params },
  params: unknown,
) {
  const result = checkAgainst(schema, params);
  if (!result.ok) throw bad(method, result.message);
  return result.value;
}

function bad(method: string, why: string): ProtocolError {
  return new ProtocolError("malformed", `bad ${method} notification: ${why}`);
}
