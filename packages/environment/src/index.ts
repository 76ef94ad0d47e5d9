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
export {
  defaultTerminalSize,
  type EnvironmentPolicy,
  exactEnvironment,
  type OutputChunk,
  type OutputStream,
  ProcessError,
  type ProcessErrorKind,
  type ProcessExit,
  type ProcessSignal,
  type SpawnedProcess,
  type SpawnOptions,
  type TerminalSize,
} from "@codex/pty";
