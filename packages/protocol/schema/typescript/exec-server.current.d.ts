// The wire types of exec-server.current, generated from the schemas.

/** Extension `outputAck`: all events up to `seq` have arrived; said again after a resume. The server holds the process back while more than half of what it retains has not, also while nobody is connected. */
export type AckParams = {
  /** Handle chosen by the client, any text; scoped to the session, reserved until 80 s after the exit. Not an operating system pid. */
  processId: string;
  /** Number of the event within its process, from 1; output, exit and close share it. */
  seq: number;
};

/** Extension `closeStdin`: the end of a pipe process's input, after what was written. */
export type CloseStdinParams = {
  /** Handle chosen by the client, any text; scoped to the session, reserved until 80 s after the exit. Not an operating system pid. */
  processId: string;
};

/** Empty: it is done. */
export type CloseStdinResponse = Record<string, never>;

export type ClosedNotification = {
  /** Handle chosen by the client, any text; scoped to the session, reserved until 80 s after the exit. Not an operating system pid. */
  processId: string;
  /** Number of the event within its process, from 1; output, exit and close share it. */
  seq: number;
};

/** Which of the server's variables a process gets. */
export type EnvPolicy = {
  /** What the server's own variables give: the names a program needs, all, nothing. */
  inherit: "core" | "all" | "none";
  /** False drops inherited `*KEY*`, `*SECRET*` and `*TOKEN*`. */
  ignoreDefaultExcludes: boolean;
  /** Globs of inherited names to drop, in any case. */
  exclude: Array<string>;
  /** Variables put after the excludes. */
  set: { [key: string]: string };
  /** When not empty: globs of the only names to keep. */
  includeOnly: Array<string>;
};

/** The machine as it tells about itself. */
export type EnvironmentInfo = {
  shell: ShellInfo;
  /** Version of the server's program. */
  executorVersion?: string;
  /** Names the machine, where the server can tell. */
  providerId?: string | null;
  /** Working directory of the server. */
  cwd?: string | null;
  /** Home of the server's user. */
  userHomeDir?: string | null;
  /** `linux` or `macos`. */
  platformOs?: string;
  /** Folders to put before PATH. */
  prependPathDirs?: Array<string>;
  /** Further folders for temporary files. */
  temporaryDirectories?: Array<string>;
  /** Folder for temporary files. */
  tempDir?: string | null;
  /** Optional parts of the original protocol, by name; absent is false. */
  capabilities?: { [key: string]: boolean };
};

/** Ignored; clients send null. */
export type EnvironmentInfoParams = unknown;

/** Ignored; clients send null. */
export type EnvironmentStatusParams = unknown;

export type EnvironmentStatusResponse = {
  /** Always `ready`. */
  status: string;
};

export type ExitedNotification = {
  /** Handle chosen by the client, any text; scoped to the session, reserved until 80 s after the exit. Not an operating system pid. */
  processId: string;
  /** Number of the event within its process, from 1; output, exit and close share it. */
  seq: number;
  /** The code; 128+n after signal n; -1 when unknown. */
  exitCode: number;
  /** True when the failure was the sandbox's refusal. */
  sandboxDenied?: boolean | null;
  /** Extension `exitSignal`: the signal that ended it, such as `SIGTERM`. */
  signal?: string | null;
};

export type FsCanonicalizeParams = {
  /** `file:` URI of an absolute path; a plain absolute path is taken too. */
  path: string;
  /** What may be done: `permissions`, `cwd`, `workspaceRoots`. Enforced, or refused with -32600. Null or left out: anything. */
  sandbox?: { [key: string]: unknown } | null;
};

export type FsCanonicalizeResponse = {
  /** The path with every link resolved, as a `file:` URI. */
  path: string;
};

export type FsCloseParams = {
  /** Handle chosen by the client; scoped to the session. */
  handleId: string;
};

/** Empty, also for a handle that is not open. */
export type FsCloseResponse = Record<string, never>;

export type FsCopyParams = {
  /** `file:` URI of an absolute path; a plain absolute path is taken too. */
  sourcePath: string;
  /** `file:` URI of an absolute path; a plain absolute path is taken too. */
  destinationPath: string;
  /** Needed to copy a directory. */
  recursive: boolean;
  /** What may be done: `permissions`, `cwd`, `workspaceRoots`. Enforced, or refused with -32600. Null or left out: anything. */
  sandbox?: { [key: string]: unknown } | null;
  /** Extension `sandboxIntent`: what may be changed, with plain paths. Excludes `sandbox`. */
  sandboxIntent?: SandboxIntent;
};

/** Empty: it is done. */
export type FsCopyResponse = Record<string, never>;

export type FsCreateDirectoryParams = {
  /** `file:` URI of an absolute path; a plain absolute path is taken too. */
  path: string;
  /** What may be done: `permissions`, `cwd`, `workspaceRoots`. Enforced, or refused with -32600. Null or left out: anything. */
  sandbox?: { [key: string]: unknown } | null;
  /** Extension `sandboxIntent`: what may be changed, with plain paths. Excludes `sandbox`. */
  sandboxIntent?: SandboxIntent;
  /** Make parents, and accept an existing directory. Default true. */
  recursive?: boolean | null;
};

/** Empty: it is done. */
export type FsCreateDirectoryResponse = Record<string, never>;

export type FsGetMetadataParams = {
  /** `file:` URI of an absolute path; a plain absolute path is taken too. */
  path: string;
  /** What may be done: `permissions`, `cwd`, `workspaceRoots`. Enforced, or refused with -32600. Null or left out: anything. */
  sandbox?: { [key: string]: unknown } | null;
  /** False refuses a path that holds a symbolic link anywhere. Default true. */
  followSymlinks?: boolean | null;
};

export type FsGetMetadataResponse = {
  /** The path leads to a directory, links followed. */
  isDirectory: boolean;
  /** The path leads to a regular file, links followed. */
  isFile: boolean;
  /** The path itself is a symbolic link. */
  isSymlink: boolean;
  /** Bytes, links followed. */
  size: number;
  /** Creation time in milliseconds since 1970; 0 where it is not known. */
  createdAtMs: number;
  /** Time of the last change, in milliseconds since 1970. */
  modifiedAtMs: number;
  /** Extension `fileMode`: permission bits, links followed. */
  mode?: number;
};

export type FsOpenParams = {
  /** Handle chosen by the client; scoped to the session. */
  handleId: string;
  /** `file:` URI of an absolute path; a plain absolute path is taken too. */
  path: string;
  /** What may be done: `permissions`, `cwd`, `workspaceRoots`. Enforced, or refused with -32600. Null or left out: anything. */
  sandbox?: { [key: string]: unknown } | null;
  /** Extension `sandboxIntent`: what may be changed, with plain paths. Excludes `sandbox`. */
  sandboxIntent?: SandboxIntent;
  /** `replace` empties the file and takes blocks. Default `read`. */
  mode?: "read" | "replace" | null;
};

export type FsOpenResponse = {
  /** Handle chosen by the client; scoped to the session. */
  handleId: string;
};

export type FsReadBlockParams = {
  /** Handle chosen by the client; scoped to the session. */
  handleId: string;
  /** First byte wanted. */
  offset: number;
  /** Bytes wanted, 1 to 1,048,576. */
  len: number;
};

export type FsReadBlockResponse = {
  /** Bytes as padded standard base64. */
  chunk: string;
  /** True when fewer than `len` bytes were left. */
  eof: boolean;
};

export type FsReadDirectoryEntry = {
  /** Name within the directory, not a path. */
  fileName: string;
  /** It leads to a directory; with `everyEntry`, it is one. */
  isDirectory: boolean;
  /** It leads to a regular file; with `everyEntry`, it is one. */
  isFile: boolean;
  /** With `everyEntry`: it is a symbolic link, whatever it leads to. */
  isSymlink?: boolean;
};

export type FsReadDirectoryParams = {
  /** `file:` URI of an absolute path; a plain absolute path is taken too. */
  path: string;
  /** What may be done: `permissions`, `cwd`, `workspaceRoots`. Enforced, or refused with -32600. Null or left out: anything. */
  sandbox?: { [key: string]: unknown } | null;
  /** Extension `entryKinds`: the entries themselves, with `isSymlink`. */
  everyEntry?: boolean;
};

export type FsReadDirectoryResponse = {
  /** In no promised order. Links that lead nowhere are left out without `everyEntry`. */
  entries: Array<FsReadDirectoryEntry>;
};

export type FsReadFileParams = {
  /** `file:` URI of an absolute path; a plain absolute path is taken too. */
  path: string;
  /** What may be done: `permissions`, `cwd`, `workspaceRoots`. Enforced, or refused with -32600. Null or left out: anything. */
  sandbox?: { [key: string]: unknown } | null;
};

export type FsReadFileResponse = {
  /** Content as padded standard base64. */
  dataBase64: string;
};

/** Extension `readRange`. */
export type FsReadRangeParams = {
  /** `file:` URI of an absolute path; a plain absolute path is taken too. */
  path: string;
  /** First byte wanted. */
  offset: number;
  /** Bytes wanted; fewer come only from the end of the file. */
  length: number;
};

export type FsReadRangeResponse = {
  /** Content as padded standard base64. */
  dataBase64: string;
};

export type FsRemoveParams = {
  /** `file:` URI of an absolute path; a plain absolute path is taken too. */
  path: string;
  /** What may be done: `permissions`, `cwd`, `workspaceRoots`. Enforced, or refused with -32600. Null or left out: anything. */
  sandbox?: { [key: string]: unknown } | null;
  /** Extension `sandboxIntent`: what may be changed, with plain paths. Excludes `sandbox`. */
  sandboxIntent?: SandboxIntent;
  /** Remove what a directory holds. Default true. */
  recursive?: boolean | null;
  /** A missing path is no error. Default true. */
  force?: boolean | null;
};

/** Empty: it is done. */
export type FsRemoveResponse = Record<string, never>;

/** Extension `rename`: replaces an existing file. */
export type FsRenameParams = {
  /** `file:` URI of an absolute path; a plain absolute path is taken too. */
  sourcePath: string;
  /** `file:` URI of an absolute path; a plain absolute path is taken too. */
  destinationPath: string;
  /** What may be done: `permissions`, `cwd`, `workspaceRoots`. Enforced, or refused with -32600. Null or left out: anything. */
  sandbox?: { [key: string]: unknown } | null;
  /** Extension `sandboxIntent`: what may be changed, with plain paths. Excludes `sandbox`. */
  sandboxIntent?: SandboxIntent;
};

/** Empty: it is done. */
export type FsRenameResponse = Record<string, never>;

export type FsWalkParams = {
  /** `file:` URI of an absolute path; a plain absolute path is taken too. */
  path: string;
  /** What may be done: `permissions`, `cwd`, `workspaceRoots`. Enforced, or refused with -32600. Null or left out: anything. */
  sandbox?: { [key: string]: unknown } | null;
  options: WalkOptions;
};

export type FsWalkResponse = {
  /** Breadth first, by name inside a directory. */
  entries: Array<WalkEntry>;
  /** Directories below the first that could not be read. */
  errors: Array<WalkError>;
  /** True when a limit, or 4 MiB of answer, cut it short. */
  truncated: boolean;
};

export type FsWriteBlockParams = {
  /** Handle chosen by the client; scoped to the session. */
  handleId: string;
  /** Where the block goes. */
  offset: number;
  /** Bytes as padded standard base64. */
  chunk: string;
};

/** Empty: it is done. */
export type FsWriteBlockResponse = Record<string, never>;

export type FsWriteFileParams = {
  /** `file:` URI of an absolute path; a plain absolute path is taken too. */
  path: string;
  /** What may be done: `permissions`, `cwd`, `workspaceRoots`. Enforced, or refused with -32600. Null or left out: anything. */
  sandbox?: { [key: string]: unknown } | null;
  /** Extension `sandboxIntent`: what may be changed, with plain paths. Excludes `sandbox`. */
  sandboxIntent?: SandboxIntent;
  /** Content as padded standard base64. */
  dataBase64: string;
  /** Extension `fileMode`: permission bits; left out, an existing file keeps its own. */
  mode?: number;
  /** Extension `atomicWrite`: a reader sees the old or the new file, never a part. */
  atomic?: boolean;
};

/** Empty: it is done. */
export type FsWriteFileResponse = Record<string, never>;

export type InitializeParams = {
  /** Name of the client, for the server's log. */
  clientName: string;
  /** Session to go on with; null for a new one. This key, whatever its value, chooses this form of the protocol. */
  resumeSessionId?: string | null;
  /** Names of the extensions the client wants; unknown ones are ignored. */
  extensions?: Array<string>;
};

export type InitializeResponse = {
  /** What to resume by. */
  sessionId: string;
  /** As `environment/info`. */
  environmentInfo?: EnvironmentInfo;
  /** Those of the wanted extensions that hold from here on. Only when some were wanted. */
  extensions?: Array<string>;
  /** Extension `instance`: another one means that the server has started anew. */
  instanceId?: string;
  /** Extension `instance`: how long the session outlives its connection; 0 is not at all. */
  sessionGraceMs?: number;
};

/** Ignored; clients send an empty object. */
export type InitializedParams = unknown;

/** Extension `processList`. */
export type ListParams = Record<string, never>;

export type ListResponse = {
  /** All of the session that are still known. */
  processes: Array<ListedProcess>;
};

export type ListedProcess = {
  /** Handle chosen by the client, any text; scoped to the session, reserved until 80 s after the exit. Not an operating system pid. */
  processId: string;
  /** True for a process on a terminal. */
  tty: boolean;
  /** How far it has come. */
  state: "starting" | "running" | "exited" | "closed";
  /** One past its newest event. */
  nextSeq: number;
};

export type OutputChunk = {
  /** Number of the event within its process, from 1; output, exit and close share it. */
  seq: number;
  stream: OutputStream;
  /** Bytes as padded standard base64. */
  chunk: string;
};

export type OutputNotification = {
  /** Handle chosen by the client, any text; scoped to the session, reserved until 80 s after the exit. Not an operating system pid. */
  processId: string;
  /** Number of the event within its process, from 1; output, exit and close share it. */
  seq: number;
  stream: OutputStream;
  /** Bytes as padded standard base64. */
  chunk: string;
};

/** Which stream the bytes came from; a terminal has only `pty`. */
export type OutputStream = "stdout" | "stderr" | "pty";

export type ReadParams = {
  /** Handle chosen by the client, any text; scoped to the session, reserved until 80 s after the exit. Not an operating system pid. */
  processId: string;
  /** Only chunks with a larger `seq`; left out or null: all that is retained. */
  afterSeq?: number | null;
  /** Stop before exceeding so many bytes, but give at least one chunk. */
  maxBytes?: number | null;
  /** How long to wait for a chunk, an exit not yet seen or the close. */
  waitMs?: number | null;
};

export type ReadResponse = {
  /** Oldest first; the newest 1 MiB is retained. */
  chunks: Array<OutputChunk>;
  /** One past the last chunk given when `maxBytes` cut the answer, else one past the newest event. */
  nextSeq: number;
  /** True when the process has ended. */
  exited: boolean;
  /** Its code, 128+n after signal n, -1 when unknown; null while it runs. */
  exitCode: number | null;
  /** True when it has ended and nothing more will be read from it. */
  closed: boolean;
  /** Why there is no exit code, else null. */
  failure: string | null;
  /** True when the failure was the sandbox's refusal. */
  sandboxDenied?: boolean | null;
  /** Extension `exitSignal`: the signal that ended it, such as `SIGTERM`. */
  signal?: string | null;
  /** Extension `readGap`: the oldest number still retained, else the next one. */
  firstSeq?: number;
  /** Extension `readGap`: bytes from the start of its output that are not retained. */
  droppedBytes?: number;
};

/** Extension `terminalSize`. */
export type ResizeParams = {
  /** Handle chosen by the client, any text; scoped to the session, reserved until 80 s after the exit. Not an operating system pid. */
  processId: string;
  size: TerminalSize;
};

/** Empty: it is done. */
export type ResizeResponse = Record<string, never>;

/** A restriction as the original's clients say it. */
export type SandboxContext = {
  permissions: SandboxPermissions;
  /** The workspace, where no roots are named. */
  cwd?: string | null;
  /** What `project_roots` stands for. */
  workspaceRoots?: Array<string> | null;
  /** Must name the same roots. */
  policyContext?: {
    cwd?: string | null;
    workspaceRoots?: Array<string> | null;
  } | null;
  /** Ignored. */
  userHomeDir?: unknown;
  /** Ignored. */
  windowsSandboxLevel?: unknown;
  /** Ignored. */
  windowsSandboxProxySettingsMode?: unknown;
  /** Ignored. */
  useLegacyLandlock?: unknown;
};

/** One rule; the deepest that holds a path counts. */
export type SandboxEntry = {
  path: SandboxPath;
  /** What is allowed there. */
  access: "read" | "write";
  /** What of a path that is not there; this server protects it all the same. */
  missing_path_behavior?: "skip";
};

export type SandboxIntent =
  | {
      mode: "danger-full-access";
    }
  | {
      mode: "read-only";
      networkAccess: boolean;
    }
  | {
      mode: "workspace-write";
      writableRoots: Array<string>;
      includeSlashTmp: boolean;
      includeTmpdir: boolean;
      networkAccess: boolean;
      readOnlyPaths?: Array<string>;
    };

/** A path, or one by its part: everything, the workspace roots, `/tmp`, `$TMPDIR`. */
export type SandboxPath =
  | {
      type: "path";
      path: string;
    }
  | {
      type: "special";
      value: {
        kind: "root" | "project_roots" | "slash_tmp" | "tmpdir";
        subpath?: string;
      };
    };

/** What may be done. */
export type SandboxPermissions = {
  /** Kind of the rules. */
  type: "managed";
  /** Rules of files. */
  file_system: {
    type: "restricted";
    entries: Array<SandboxEntry>;
  };
  /** Whether there is a network. */
  network: "restricted" | "enabled";
};

/** Extension `sessionEnd`: ends the session's processes and forgets it. */
export type SessionEndParams = Record<string, never>;

/** Empty: all of them have ended. */
export type SessionEndResponse = Record<string, never>;

/** The user's shell. */
export type ShellInfo = {
  /** Such as `bash`. */
  name: string;
  /** Plain path of the program. */
  path: string;
};

/** `interrupt` is SIGINT; the other names need the extension `signals`. */
export type SignalName =
  | "interrupt"
  | "SIGINT"
  | "SIGTERM"
  | "SIGHUP"
  | "SIGQUIT"
  | "SIGKILL"
  | "SIGUSR1"
  | "SIGUSR2"
  | "SIGWINCH";

export type SignalParams = {
  /** Handle chosen by the client, any text; scoped to the session, reserved until 80 s after the exit. Not an operating system pid. */
  processId: string;
  signal: SignalName;
};

/** Empty, also for a process that is not known or has ended. */
export type SignalResponse = Record<string, never>;

export type StartParams = {
  /** Handle chosen by the client, any text; scoped to the session, reserved until 80 s after the exit. Not an operating system pid. */
  processId: string;
  /** Thread and tool call it is for; ignored. */
  metadata?: unknown;
  /** Program and arguments; the program is looked up on the PATH it gets. Not empty. */
  argv: Array<string>;
  /** Working directory, as a `file:` URI. */
  cwd: string;
  /** What the process gets beside `env`. */
  envPolicy?: EnvPolicy | null;
  /** Variables laid over what `envPolicy` gives; without a policy the whole environment. */
  env: { [key: string]: string };
  /** True for a terminal of 24 rows and 80 columns on all three streams; false for pipes. */
  tty: boolean;
  /** Leaves the standard input of a pipe process open for writes. Default: closed. */
  pipeStdin?: boolean | null;
  /** What the process sees as its own name, when not the first of `argv`. */
  arg0?: string | null;
  /** What may be done: `permissions`, `cwd`, `workspaceRoots`. Enforced, or refused with -32600. Null or left out: anything. */
  sandbox?: { [key: string]: unknown } | null;
  /** True is refused. */
  enforceManagedNetwork?: boolean | null;
  /** Anything but null is refused. */
  managedNetwork?: unknown;
  /** Anything but null is refused. */
  networkProxy?: unknown;
  /** Anything but null is refused. */
  shellSnapshot?: unknown;
  /** Extension `terminalSize`: another size. */
  size?: TerminalSize;
  /** Extension `sandboxIntent`: what may be done, with plain paths. Excludes `sandbox`. */
  sandboxIntent?: SandboxIntent;
};

export type StartResponse = {
  /** Handle chosen by the client, any text; scoped to the session, reserved until 80 s after the exit. Not an operating system pid. */
  processId: string;
  /** What enforces the sandbox: `none` where none was asked for, else `linuxSeccomp`. */
  sandboxType?: string;
};

/** Size of a terminal. */
export type TerminalSize = {
  /** Lines. */
  rows: number;
  /** Characters in a line. */
  columns: number;
};

export type TerminateParams = {
  /** Handle chosen by the client, any text; scoped to the session, reserved until 80 s after the exit. Not an operating system pid. */
  processId: string;
  /** Extension `gracefulTerminate`: SIGTERM first, and SIGKILL after so long. 0 or left out: SIGKILL. */
  graceMs?: number;
};

export type TerminateResponse = {
  /** False when it had ended already or is not known. */
  running: boolean;
};

export type WalkEntry = {
  /** `file:` URI of an absolute path; a plain absolute path is taken too. */
  path: string;
  /** `symlink` and `other` only with `everyEntry`. */
  kind: "file" | "directory" | "symlink" | "other";
  /** With `metadata`: bytes, links followed. */
  size?: number;
  /** With `metadata`: permission bits, links followed. */
  mode?: number;
  /** With `metadata`: time of the last change. */
  modifiedAtMs?: number;
};

export type WalkError = {
  /** `file:` URI of an absolute path; a plain absolute path is taken too. */
  path: string;
  /** Why it could not be read. */
  message: string;
};

/** How far to go, and into what. */
export type WalkOptions = {
  /** 0 for the directory's own entries; at most 64. */
  maxDepth: number;
  /** Directories to read, 1 to 10,000. */
  maxDirectories: number;
  /** Entries to give, 1 to 50,000. */
  maxEntries: number;
  /** Links to directories count as directories; each directory is read once. */
  followDirectorySymlinks: boolean;
  /** Directories with a leading dot are not read. */
  pruneHiddenDirectories: boolean;
  /** Extension `entryKinds`: links and special files are given too. */
  everyEntry?: boolean;
  /** Extension `walkMetadata`: every entry with `size`, `mode` and `modifiedAtMs`. */
  metadata?: boolean;
};

export type WriteParams = {
  /** Handle chosen by the client, any text; scoped to the session, reserved until 80 s after the exit. Not an operating system pid. */
  processId: string;
  /** Bytes as padded standard base64. */
  chunk: string;
  /** Not empty, at most 256 characters. A repeat among the last 4,096 of the process is acknowledged and not written again. */
  writeId: string;
};

export type WriteResponse = {
  /** `starting` is not said by this server: it waits for the start. */
  status: "accepted" | "unknownProcess" | "stdinClosed" | "starting";
};
