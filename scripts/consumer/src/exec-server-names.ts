// seed-rows A3, A4: every name the seed's library exports, from the packed package.
import {
  type ExecExitedNotification,
  type ExecOutputDeltaNotification,
  type ExecOutputStream,
  type ExecParams,
  type ExecResponse,
  type ExecSandboxConfig,
  ExecServerClient,
  type ExecServerClientConnectOptions,
  ExecServerError,
  type ExecServerEvent,
  type ExecServerLaunchCommand,
  type ExecServerTransport,
  ExecServerTransportParseError,
  type InitializeParams,
  type InitializeResponse,
  type ProcessOutputChunk,
  type ReadParams,
  type ReadResponse,
  type RemoteExecServerConnectArgs,
  runMain,
  runMainWithTransport,
  type SpawnedExecServer,
  spawnLocalExecServer,
  type TerminateParams,
  type TerminateResponse,
  type WriteParams,
  type WriteResponse,
} from "@codex/exec-server";

export const values = {
  ExecServerClient,
  ExecServerError,
  ExecServerTransportParseError,
  runMain,
  runMainWithTransport,
  spawnLocalExecServer,
};

export interface Types {
  readonly client: [
    ExecServerClientConnectOptions,
    RemoteExecServerConnectArgs,
    ExecServerLaunchCommand,
    SpawnedExecServer,
    ExecServerEvent,
    ExecServerTransport,
  ];
  readonly protocol: [
    InitializeParams,
    InitializeResponse,
    ExecParams,
    ExecSandboxConfig,
    ExecResponse,
    ReadParams,
    ReadResponse,
    ProcessOutputChunk,
    WriteParams,
    WriteResponse,
    TerminateParams,
    TerminateResponse,
    ExecOutputStream,
    ExecOutputDeltaNotification,
    ExecExitedNotification,
  ];
}

const missing = Object.entries(values).filter(([, value]) => typeof value !== "function");
console.log(
  `names: ${missing.length === 0 ? "all there" : missing.map(([name]) => name).join(" ")}`,
);
