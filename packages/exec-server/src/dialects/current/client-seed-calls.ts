import type { RequestOptions } from "@codex/jsonrpc";
import { encodeBase64, ErrorCode, type ExecParams, execServerCurrent } from "@codex/protocol";
import type { ExecServerClient } from "../../client/client.ts";
import { ExecServerError } from "../../client/exec-server-error.ts";
import type { SeedCalls } from "../../client/seed-calls.ts";
import type { Has } from "./client-file-system.ts";
import { toUri } from "./client-sandbox.ts";

const { requests } = execServerCurrent;

export interface SeedCallParts {
  readonly client: ExecServerClient;
  readonly has: Has;
  readonly newWriteId: () => string;
}

/** The seed's calls, said in the present form. */
export function createCurrentSeedCalls(parts: SeedCallParts): SeedCalls {
  const { client } = parts;
  return {
    exec: (params, options) => client.call(requests.processStart, startParams(params), options),
    read: (params, options) => client.call(requests.processRead, params, options),
    write: (...call) => write(parts, ...call),
    terminate: (processId, options) =>
      client.call(requests.processTerminate, { processId }, options),
    ...fileCalls(parts),
  };
}

type FileCalls = Omit<SeedCalls, "exec" | "read" | "write" | "terminate">;

function fileCalls({ client, has }: SeedCallParts): FileCalls {
  const at = <Params extends { readonly path: string }>(params: Params) => ({
    ...params,
    path: toUri(params.path),
  });
  return {
    fsReadFile: (params, options) => client.call(requests.fsReadFile, at(params), options),
    async fsWriteFile(params, options) {
      await client.call(requests.fsWriteFile, at(params), options);
    },
    async fsCreateDirectory(params, options) {
      await client.call(requests.fsCreateDirectory, at(params), options);
    },
    fsGetMetadata: (params, options) => client.call(requests.fsGetMetadata, at(params), options),
    async fsReadDirectory(params, options) {
      const everyEntry = has("entryKinds") && { everyEntry: true };
      const listed = { ...at(params), ...everyEntry };
      const { entries } = await client.call(requests.fsReadDirectory, listed, options);
      return {
        entries: entries.map((entry) => ({ ...entry, isSymlink: entry.isSymlink ?? false })),
      };
    },
    async fsRemove(params, options) {
      await client.call(requests.fsRemove, at(params), options);
    },
    async fsCopy({ sourcePath, destinationPath, recursive }, options) {
      const ends = { sourcePath: toUri(sourcePath), destinationPath: toUri(destinationPath) };
      await client.call(requests.fsCopy, { ...ends, recursive }, options);
    },
  };
}

/** A mode of the seed's that is set stays set: the server refuses what it does not know. */
function startParams({ cwd, sandbox, ...params }: ExecParams) {
  return { ...params, cwd: toUri(cwd), ...(sandbox != null && { sandbox: { ...sandbox } }) };
}

async function write(
  { client, newWriteId }: SeedCallParts,
  processId: string,
  bytes: Uint8Array,
  options?: RequestOptions,
) {
  const params = { processId, chunk: encodeBase64(bytes), writeId: newWriteId() };
  const { status } = await client.call(requests.processWrite, params, options);
  if (status === "accepted") return { accepted: true };
  const why =
    status === "unknownProcess"
      ? `unknown process id ${processId}`
      : `stdin is closed for process ${processId}`;
  const code = ErrorCode.invalidRequest;
  throw new ExecServerError("server", `exec-server rejected request (${code}): ${why}`, { code });
}
