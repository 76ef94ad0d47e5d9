import type { RequestOptions } from "@codex/jsonrpc";
import type {
  ExecParams,
  ExecResponse,
  FsCopyParams,
  FsCreateDirectoryParams,
  FsGetMetadataParams,
  FsGetMetadataResponse,
  FsReadDirectoryParams,
  FsReadDirectoryResponse,
  FsReadFileParams,
  FsReadFileResponse,
  FsRemoveParams,
  FsWriteFileParams,
  ReadParams,
  ReadResponse,
  TerminateResponse,
  WriteResponse,
} from "@codex/protocol";

/** The calls of the seed's client, in the shapes of `exec-server.v0`, whatever form the connection speaks. */
export interface SeedCalls {
  /** Starts a process. Its output and exit come as events. */
  exec(params: ExecParams, options?: RequestOptions): Promise<ExecResponse>;
  read(params: ReadParams, options?: RequestOptions): Promise<ReadResponse>;
  write(processId: string, bytes: Uint8Array, options?: RequestOptions): Promise<WriteResponse>;
  /** Asks for the end of a process; the exit itself comes as an event. */
  terminate(processId: string, options?: RequestOptions): Promise<TerminateResponse>;
  fsReadFile(params: FsReadFileParams, options?: RequestOptions): Promise<FsReadFileResponse>;
  fsWriteFile(params: FsWriteFileParams, options?: RequestOptions): Promise<void>;
  fsCreateDirectory(params: FsCreateDirectoryParams, options?: RequestOptions): Promise<void>;
  fsGetMetadata(
    params: FsGetMetadataParams,
    options?: RequestOptions,
  ): Promise<FsGetMetadataResponse>;
  fsReadDirectory(
    params: FsReadDirectoryParams,
    options?: RequestOptions,
  ): Promise<FsReadDirectoryResponse>;
  fsRemove(params: FsRemoveParams, options?: RequestOptions): Promise<void>;
  fsCopy(params: FsCopyParams, options?: RequestOptions): Promise<void>;
}
