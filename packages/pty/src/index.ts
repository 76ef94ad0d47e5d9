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
} from "./process.ts";
