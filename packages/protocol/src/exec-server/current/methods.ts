import {
  defineNotification,
  defineRequest,
  type ParamsOf,
  type RequestDefinition,
  type ResultOf,
} from "../../method.ts";
import * as environment from "./environment.ts";
import type { ExtensionName } from "./extensions.ts";
import * as files from "./file-system.ts";
import * as session from "./initialize.ts";
import * as processes from "./process.ts";

/** Every method of the present form of the protocol, the table both ends share. It has no version on the wire. */
export const execServerCurrent = {
  protocolVersion: "exec-server.current",
  /** Client to server, answered. */
  requests: {
    initialize: defineRequest("initialize", session.InitializeParams, session.InitializeResponse),
    environmentInfo: defineRequest(
      "environment/info",
      environment.EnvironmentInfoParams,
      environment.EnvironmentInfo,
    ),
    environmentStatus: defineRequest(
      "environment/status",
      environment.EnvironmentStatusParams,
      environment.EnvironmentStatusResponse,
    ),
    processStart: defineRequest("process/start", processes.StartParams, processes.StartResponse),
    processRead: defineRequest("process/read", processes.ReadParams, processes.ReadResponse),
    processWrite: defineRequest("process/write", processes.WriteParams, processes.WriteResponse),
    processSignal: defineRequest(
      "process/signal",
      processes.SignalParams,
      processes.SignalResponse,
    ),
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
    fsCanonicalize: defineRequest(
      "fs/canonicalize",
      files.FsCanonicalizeParams,
      files.FsCanonicalizeResponse,
    ),
    fsWalk: defineRequest("fs/walk", files.FsWalkParams, files.FsWalkResponse),
    fsOpen: defineRequest("fs/open", files.FsOpenParams, files.FsOpenResponse),
    fsReadBlock: defineRequest("fs/readBlock", files.FsReadBlockParams, files.FsReadBlockResponse),
    fsWriteBlock: defineRequest(
      "fs/writeBlock",
      files.FsWriteBlockParams,
      files.FsWriteBlockResponse,
    ),
    fsClose: defineRequest("fs/close", files.FsCloseParams, files.FsCloseResponse),
    sessionEnd: defineRequest("session/end", session.SessionEndParams, session.SessionEndResponse),
    processResize: defineRequest(
      "process/resize",
      processes.ResizeParams,
      processes.ResizeResponse,
    ),
    processCloseStdin: defineRequest(
      "process/closeStdin",
      processes.CloseStdinParams,
      processes.CloseStdinResponse,
    ),
    processList: defineRequest("process/list", processes.ListParams, processes.ListResponse),
    fsRename: defineRequest("fs/rename", files.FsRenameParams, files.FsRenameResponse),
    fsReadRange: defineRequest("fs/readRange", files.FsReadRangeParams, files.FsReadRangeResponse),
  },
  /** Client to server, not answered. */
  clientNotifications: {
    initialized: defineNotification("initialized", session.InitializedParams),
    processAck: defineNotification("process/ack", processes.AckParams),
  },
  /** Server to client, not answered. */
  serverNotifications: {
    processOutput: defineNotification("process/output", processes.OutputNotification),
    processExited: defineNotification("process/exited", processes.ExitedNotification),
    processClosed: defineNotification("process/closed", processes.ClosedNotification),
  },
} as const;

/** Methods that are there only with an extension. */
export const methodExtensions: Readonly<Record<string, ExtensionName>> = {
  "session/end": "sessionEnd",
  "process/resize": "terminalSize",
  "process/closeStdin": "closeStdin",
  "process/list": "processList",
  "process/ack": "outputAck",
  "fs/rename": "rename",
  "fs/readRange": "readRange",
};

export type CurrentRequestName = keyof typeof execServerCurrent.requests;

type Definition<Name extends CurrentRequestName> = (typeof execServerCurrent.requests)[Name] &
  RequestDefinition;

/** Params of a request of the present form, such as `CurrentParams<"processStart">`. */
export type CurrentParams<Name extends CurrentRequestName> = ParamsOf<Definition<Name>>;

/** Its result. */
export type CurrentResult<Name extends CurrentRequestName> = ResultOf<Definition<Name>>;
