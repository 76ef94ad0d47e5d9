import { defineNotification, defineRequest } from "../../method.ts";
import * as files from "./file-system.ts";
import { InitializedParams, InitializeParams, InitializeResponse } from "./initialize.ts";
import * as processes from "./process.ts";

/** Every method of `exec-server.v0`, the table both ends share. */
export const execServerV0 = {
  protocolVersion: "exec-server.v0",
  /** Client to server, answered. */
  requests: {
    initialize: defineRequest("initialize", InitializeParams, InitializeResponse),
    processStart: defineRequest("process/start", processes.ExecParams, processes.ExecResponse),
    processRead: defineRequest("process/read", processes.ReadParams, processes.ReadResponse),
    processWrite: defineRequest("process/write", processes.WriteParams, processes.WriteResponse),
    processTerminate: defineRequest(
      "process/terminate",
      processes.TerminateParams,
      processes.TerminateResponse,
    ),
    fsReadFile: defineRequest("fs/readFile", files.FsReadFileParams, files.FsReadFileResponse),
    fsWriteFile: defineRequest("fs/writeFile", files.FsWriteFileParams, files.FsWriteFileResponse),
    fsCreateDirectory: defineRequest(
      "fs/createDirectory",
      files.FsCreateDirectoryParams,
      files.FsCreateDirectoryResponse,
    ),
    fsGetMetadata: defineRequest(
      "fs/getMetadata",
      files.FsGetMetadataParams,
      files.FsGetMetadataResponse,
    ),
    fsReadDirectory: defineRequest(
      "fs/readDirectory",
      files.FsReadDirectoryParams,
      files.FsReadDirectoryResponse,
    ),
    fsRemove: defineRequest("fs/remove", files.FsRemoveParams, files.FsRemoveResponse),
    fsCopy: defineRequest("fs/copy", files.FsCopyParams, files.FsCopyResponse),
  },
  /** Client to server, not answered. */
  clientNotifications: {
    initialized: defineNotification("initialized", InitializedParams),
  },
  /** Server to client, not answered. */
  serverNotifications: {
    processOutput: defineNotification("process/output", processes.ExecOutputDeltaNotification),
    processExited: defineNotification("process/exited", processes.ExecExitedNotification),
  },
} as const;
