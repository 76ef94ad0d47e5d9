import type {
  EnvironmentInfo,
  FileSystem,
  ProcessSignal,
  SpawnOptions,
  TerminalSize,
} from "@codex/environment";
import type { JsonRpcNotification } from "@codex/protocol";
import type { ClientProcess } from "./client-process.ts";
import type { ExecServerEvent } from "./exec-server-event.ts";
import type { ProcessRoute } from "./process-routes.ts";
import type { SeedCalls } from "./seed-calls.ts";

/** What an executor offers beyond starting, reading and ending processes and the seed's file calls. */
export interface ExecutorOffers {
  readonly resize: boolean;
  readonly closeStdin: boolean;
  readonly stdinPipes: boolean;
  readonly signals: boolean;
  readonly gracefulTerminate: boolean;
  readonly exitSignal: boolean;
  readonly canonicalize: boolean;
  readonly rename: boolean;
  readonly fileMode: boolean;
  readonly fileSize: boolean;
  readonly linkMetadata: boolean;
  readonly atomicWrite: boolean;
  readonly sandbox: boolean;
}

export interface DialectCallOptions {
  readonly signal?: AbortSignal;
}

/**
 * How the client's own calls are said over one connection. Chosen once, by the answer to `initialize`. A call that
 * the executor does not offer rejects with kind `unsupported`; every other rejection is an `ExecServerError`, a
 * `ProcessError` or a `FileSystemError`.
 */
export interface ClientDialect {
  readonly name: "v0" | "current";
  readonly offers: ExecutorOffers;
  readonly fileSystem: FileSystem;
  readonly seedCalls: SeedCalls;
  /** About the machine; the working directory is the run's own business. */
  info(options?: DialectCallOptions): Promise<Omit<EnvironmentInfo, "cwd">>;
  /** Gives the id of the answer. The signal counts until the start is sent. */
  start(processId: string, options: SpawnOptions, call?: DialectCallOptions): Promise<string>;
  write(processId: string, bytes: Uint8Array, call?: DialectCallOptions): Promise<void>;
  closeStdin(processId: string): Promise<void>;
  resize(processId: string, size: TerminalSize): Promise<void>;
  signal(processId: string, name: ProcessSignal): Promise<void>;
  terminate(processId: string, graceMs: number): Promise<void>;
  /** The process has exited: finds out that all its output is there, then closes it. Never rejects. */
  afterExit(processId: string, process: ClientProcess): Promise<void>;
  /** Undefined for a notification that is not about a process. */
  event(notification: JsonRpcNotification): ExecServerEvent | undefined;
  /** An event has arrived, of a process that is expected or of another. */
  delivered?(event: ExecServerEvent, route: ProcessRoute | undefined): void;
  /** Fetches what a process has said after the last event in its place. */
  catchUp?(
    route: ProcessRoute,
    deliver: (events: readonly ExecServerEvent[]) => void,
  ): Promise<void>;
  /** Asks for a sign of life. */
  ask(): Promise<void>;
  /** Says that nobody will come back. */
  end?(signal: AbortSignal): Promise<void>;
}
