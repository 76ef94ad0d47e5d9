// The wire types of exec-server.v0, generated from the schemas.

export type ExecExitedNotification = {
  /** Handle chosen by the client, any text; scoped to the connection, reserved until 30 s after the exit. Not an operating system pid. */
  processId: string;
  /** The code; 128+n after signal n; -1 when unknown. */
  exitCode: number;
};

export type ExecOutputDeltaNotification = {
  /** Handle chosen by the client, any text; scoped to the connection, reserved until 30 s after the exit. Not an operating system pid. */
  processId: string;
  stream: ExecOutputStream;
  /** Bytes as padded standard base64. */
  chunk: string;
};

/** Which stream the bytes came from; a terminal has only `pty`. */
export type ExecOutputStream = "stdout" | "stderr" | "pty";

export type ExecParams = {
  /** Handle chosen by the client, any text; scoped to the connection, reserved until 30 s after the exit. Not an operating system pid. */
  processId: string;
  /** Program and arguments; the program is looked up on the PATH of `env`. Not empty. */
  argv: Array<string>;
  /** Working directory on the server, absolute; a relative one starts at the server's own. */
  cwd: string;
  /** The whole environment of the process. */
  env: { [key: string]: string };
  /** True for a terminal of 24 rows and 80 columns on all three streams; false for pipes with stdin closed. */
  tty: boolean;
  /** What the process sees as its own name, when not the first of `argv`. */
  arg0?: string | null;
  /** Left out or null: no sandbox. */
  sandbox?: ExecSandboxConfig | null;
};

export type ExecResponse = {
  /** Handle chosen by the client, any text; scoped to the connection, reserved until 30 s after the exit. Not an operating system pid. */
  processId: string;
};

export type ExecSandboxConfig = {
  mode: ExecSandboxMode;
};

/** `none` runs without a sandbox; `hostDefault` is refused. */
export type ExecSandboxMode = "none" | "hostDefault";

export type FsCopyParams = {
  /** Absolute path to copy from. */
  sourcePath: string;
  /** Absolute path to copy to. */
  destinationPath: string;
  /** Needed to copy a directory. Default false. */
  recursive?: boolean;
};

/** Empty: it is done. */
export type FsCopyResponse = Record<string, never>;

export type FsCreateDirectoryParams = {
  /** Absolute path on the server; a `file:` URI is taken too. */
  path: string;
  /** Make parents, and accept an existing directory. Default true. */
  recursive?: boolean | null;
};

/** Empty: it is done. */
export type FsCreateDirectoryResponse = Record<string, never>;

export type FsGetMetadataParams = {
  /** Absolute path on the server; a `file:` URI is taken too. */
  path: string;
};

export type FsGetMetadataResponse = {
  /** The path leads to a directory, links followed. */
  isDirectory: boolean;
  /** The path leads to a regular file, links followed. */
  isFile: boolean;
  /** Creation time in milliseconds since 1970; 0 where it is not known. */
  createdAtMs: number;
  /** Time of the last change, in milliseconds since 1970. */
  modifiedAtMs: number;
};

export type FsReadDirectoryEntry = {
  /** Name within the directory, not a path. */
  fileName: string;
  /** The entry itself is a directory; a link to a directory is not. */
  isDirectory: boolean;
  /** The entry itself is a regular file; a link to a file is not. */
  isFile: boolean;
  /** The entry is a symbolic link, whatever it leads to. */
  isSymlink: boolean;
};

export type FsReadDirectoryParams = {
  /** Absolute path on the server; a `file:` URI is taken too. */
  path: string;
};

export type FsReadDirectoryResponse = {
  /** In no promised order. */
  entries: Array<FsReadDirectoryEntry>;
};

export type FsReadFileParams = {
  /** Absolute path on the server; a `file:` URI is taken too. */
  path: string;
};

export type FsReadFileResponse = {
  /** Content as padded standard base64. */
  dataBase64: string;
};

export type FsRemoveParams = {
  /** Absolute path on the server; a `file:` URI is taken too. */
  path: string;
  /** Remove what a directory holds. Default true. */
  recursive?: boolean | null;
  /** A missing path is no error. Default true. */
  force?: boolean | null;
};

/** Empty: it is done. */
export type FsRemoveResponse = Record<string, never>;

export type FsWriteFileParams = {
  /** Absolute path on the server; a `file:` URI is taken too. */
  path: string;
  /** Content as padded standard base64. */
  dataBase64: string;
};

/** Empty: it is done. */
export type FsWriteFileResponse = Record<string, never>;

export type InitializeParams = {
  /** Name of the client, for the server's log. */
  clientName: string;
};

export type InitializeResponse = {
  /** Always `exec-server.v0`. */
  protocolVersion: string;
};

/** Ignored; clients send an empty object. */
export type InitializedParams = unknown;

export type ProcessOutputChunk = {
  /** Number of the chunk within its process, growing from 1. */
  seq: number;
  stream: ExecOutputStream;
  /** Bytes as padded standard base64. */
  chunk: string;
};

export type ReadParams = {
  /** Handle chosen by the client, any text; scoped to the connection, reserved until 30 s after the exit. Not an operating system pid. */
  processId: string;
  /** Only chunks with a larger `seq`; left out or null: all that is retained. */
  afterSeq?: number | null;
  /** Stop before exceeding so many bytes, but give at least one chunk. */
  maxBytes?: number | null;
  /** How long to wait for a chunk or the exit when there is neither yet. */
  waitMs?: number | null;
};

export type ReadResponse = {
  /** Oldest first; the newest 1 MiB is retained. */
  chunks: Array<ProcessOutputChunk>;
  /** One past the last chunk given when `maxBytes` cut the answer, else one past the newest. */
  nextSeq: number;
  /** True when the process has ended. */
  exited: boolean;
  /** Its code, 128+n after signal n, -1 when unknown; null while it runs. */
  exitCode: number | null;
};

export type TerminateParams = {
  /** Handle chosen by the client, any text; scoped to the connection, reserved until 30 s after the exit. Not an operating system pid. */
  processId: string;
};

export type TerminateResponse = {
  /** True while the process is known, also after its exit; false when it is not. */
  running: boolean;
};

export type WriteParams = {
  /** Handle chosen by the client, any text; scoped to the connection, reserved until 30 s after the exit. Not an operating system pid. */
  processId: string;
  /** Bytes as padded standard base64. */
  chunk: string;
};

export type WriteResponse = {
  /** Always true: a write that is not accepted is an error. */
  accepted: boolean;
};
