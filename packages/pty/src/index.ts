export { childEnvironment } from "./child-environment.ts";
export { type BubblewrapOptions, createBubblewrapWrap } from "./bubblewrap.ts";
export {
  type Command,
  type SandboxedRun,
  type SandboxRequest,
  type SandboxWrap,
} from "./command.ts";
export { Guard } from "./guard.ts";
export { type NativeTerminal, type OpenedTerminal } from "./native-terminal.ts";
export { type Pipe, PipePool } from "./pipes.ts";
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
} from "./process.ts";
export type { SessionSweep } from "./session-sweep.ts";
export { spawnProcess, type SpawnContext } from "./spawn.ts";
export {
  createRuntimeWrap,
  type RuntimeWrapOptions,
  type RuntimeSettings,
  type SandboxRuntime,
} from "./sandbox-runtime.ts";
export { openSpawnContext } from "./spawn-context.ts";
