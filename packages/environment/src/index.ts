export { compareByteOrder } from "./byte-order.ts";
export type { ConnectionChange, Environment, EnvironmentInfo } from "./environment.ts";
export {
  FileSystemError,
  type FileSystemErrorKind,
  isFileSystemError,
} from "./file-system-error.ts";
export type {
  DirectoryEntry,
  FileCallOptions,
  FileChangeOptions,
  FileMetadata,
  FileSystem,
  WalkEntry,
  WalkOptions,
  WalkResult,
  WriteFileOptions,
} from "./file-system.ts";
export { copyRefusals } from "./local-copy.ts";
export { createLocalFileSystem, type LocalFileSystemOptions } from "./local-file-system.ts";
export { createLocalEnvironment, type LocalEnvironmentOptions } from "./local-environment.ts";
export { gitDirectoryIn } from "./local-machine-facts.ts";
export { maxReadBytes } from "./local-read.ts";
export { findLoginShell, type ShellFacts } from "./login-shell.ts";
export { createMappedEnvironment } from "./mapped-environment.ts";
export { createMappedFileSystem, mapSandboxIntent } from "./mapped-file-system.ts";
export { narrowIntent } from "./narrow-intent.ts";
export { osError, type OsErrorCode, osErrorMessage } from "./os-error.ts";
export {
  createWorkspacePathMapper,
  type WorkspacePathMapper,
  type WorkspaceRoots,
} from "./workspace-path-mapper.ts";
export { walkByListing } from "./walk-by-listing.ts";
export { type ChangeKind, checkWritable, denial } from "./write-policy.ts";
export {
  defaultTerminalSize,
  type EnvironmentPolicy,
  exactEnvironment,
  type OutputChunk,
  type OutputGap,
  type OutputStream,
  ProcessError,
  type ProcessErrorKind,
  type ProcessExit,
  type ProcessSignal,
  type SpawnedProcess,
  type SpawnOptions,
  type TerminalSize,
} from "@codex/pty";
