import { encodeBase64, execServerV0 } from "@codex/protocol";
import type { ExecServerClient } from "../../client/client.ts";
import type { SeedCalls } from "../../client/seed-calls.ts";

const { requests } = execServerV0;

/** The seed's calls as they are. */
export function createV0SeedCalls(client: ExecServerClient): SeedCalls {
  return {
    exec: (params, options) => client.call(requests.processStart, params, options),
    read: (params, options) => client.call(requests.processRead, params, options),
    write: (processId, bytes, options) =>
      client.call(requests.processWrite, { processId, chunk: encodeBase64(bytes) }, options),
    terminate: (processId, options) =>
      client.call(requests.processTerminate, { processId }, options),
    fsReadFile: (params, options) => client.call(requests.fsReadFile, params, options),
    async fsWriteFile(params, options) {
      await client.call(requests.fsWriteFile, params, options);
    },
    async fsCreateDirectory(params, options) {
      await client.call(requests.fsCreateDirectory, params, options);
    },
    fsGetMetadata: (params, options) => client.call(requests.fsGetMetadata, params, options),
    fsReadDirectory: (params, options) => client.call(requests.fsReadDirectory, params, options),
    async fsRemove(params, options) {
      await client.call(requests.fsRemove, params, options);
    },
    async fsCopy(params, options) {
      await client.call(requests.fsCopy, params, options);
    },
  };
}
