export { main, runMain, runMainWithTransport, type ServerHost } from "./bin/codex-exec-server.ts";
export { type ClientOwner, ExecServerClient, type LinkChange } from "./client/client.ts";
export { connectCommand, type ConnectCommandOptions } from "./client/connect-command.ts";
export { connectInProcess, type ConnectInProcessOptions } from "./client/connect-in-process.ts";
export type { ExecServerClientConnectOptions } from "./client/connect-options.ts";
export { connectStdio, type StdioStreams } from "./client/connect-stdio.ts";
export { connectWebSocket, type RemoteExecServerConnectArgs } from "./client/connect-websocket.ts";
export {
  createExecServerEnvironment,
  type ExecServerEnvironmentOptions,
} from "./client/exec-server-environment.ts";
export { ExecServerError, type ExecServerErrorKind } from "./client/exec-server-error.ts";
export type { ExecServerEvent } from "./client/exec-server-event.ts";
export {
  type ExecServerLaunchCommand,
  type SpawnedExecServer,
  spawnLocalExecServer,
  type SpawnLocalOptions,
} from "./client/launch.ts";
export {
  communicate,
  type CommunicateOptions,
  type ProcessSnapshot,
  type ProcessWaitOptions,
  snapshot,
  wait,
} from "./client/process-results.ts";
export type { ReconnectOptions } from "./client/reconnect.ts";
export type { SeedCalls } from "./client/seed-calls.ts";
export type { ServerChildOptions } from "./client/server-child.ts";
export { admit, type AdmissionPolicy } from "./server/admission.ts";
export { CapabilityToken } from "./server/capability-token.ts";
export { type Clock, systemClock } from "./server/clock.ts";
export {
  defaultListenUrl,
  type ExecServerTransport,
  ExecServerTransportParseError,
  type ExecServerTransportParseErrorKind,
  parseListenUrl,
} from "./server/exec-server-transport.ts";
export { defaultServerLimits, defaultSessionGraceMs, type ServerLimits } from "./server/limits.ts";
export { runServer, type RunServerOptions, ServerSetupError } from "./server/run-server.ts";
export type { Session, SessionOptions } from "./server/session.ts";
export { SessionRegistry, type SessionRegistryOptions } from "./server/session-registry.ts";
export { serve, type ServeEnd, type ServeOptions } from "./server/serve.ts";
export type {
  ExecExitedNotification,
  ExecOutputDeltaNotification,
  ExecOutputStream,
  ExecParams,
  ExecResponse,
  ExecSandboxConfig,
  InitializeParams,
  InitializeResponse,
  ProcessOutputChunk,
  ReadParams,
  ReadResponse,
  TerminateParams,
  TerminateResponse,
  WriteParams,
  WriteResponse,
} from "@codex/protocol";
