import {
  type ConnectionChange,
  type Environment,
  type EnvironmentInfo,
  type FileSystem,
  FileSystemError,
  ProcessError,
  type SpawnedProcess,
  type SpawnOptions,
} from "@codex/environment";
import type { AbsolutePath, SandboxIntent } from "@codex/protocol";
import { withoutBound } from "./bound-intent.ts";
import type { ExecServerClient, LinkChange } from "./client.ts";
import { ExecServerError } from "./exec-server-error.ts";
import { connectionChange, isLostConnection, lostProcess } from "./lost-error.ts";
import { orAborted } from "./or-aborted.ts";
import { createRemoteFileSystem } from "./remote-file-system.ts";
import { namedProcessError, RemoteProcess } from "./remote-process.ts";

export interface ExecServerEnvironmentOptions {
  /** Used in every error and event. */
  readonly name: string;
  /** The directory work starts in, on the far machine. */
  readonly cwd: AbsolutePath;
  /**
   * The intent the server was started with and holds every start and change to. A call that asks for exactly this
   * needs no words on the wire; any other restriction must be one the dialect can carry.
   */
  readonly boundIntent?: SandboxIntent;
}

/** The far side of `Environment`. Owns the client: disposing ends the connection, and with it the processes there. */
export function createExecServerEnvironment(
  client: ExecServerClient,
  options: ExecServerEnvironmentOptions,
): Environment {
  return new ExecServerEnvironment(client, options);
}

class ExecServerEnvironment implements Environment {
  readonly name: string;
  readonly fileSystem: FileSystem;
  readonly #client: ExecServerClient;
  readonly #options: ExecServerEnvironmentOptions;
  readonly #running = new Set<RemoteProcess>();
  readonly #listeners = new Set<(change: ConnectionChange) => void>();
  #isDisposed = false;

  constructor(client: ExecServerClient, options: ExecServerEnvironmentOptions) {
    const { name, boundIntent } = options;
    this.#client = client;
    this.#options = options;
    this.name = name;
    this.fileSystem = createRemoteFileSystem(client.dialect.fileSystem, { name, boundIntent });
    client.onLinkChange((change) => this.#tell(change));
  }

  async info(signal?: AbortSignal): Promise<EnvironmentInfo> {
    signal?.throwIfAborted();
    const call = signal === undefined ? {} : { signal };
    try {
      return { cwd: this.#options.cwd, ...(await this.#client.dialect.info(call)) };
    } catch (error) {
      throw this.#explained(error);
    }
  }

  async start(options: SpawnOptions, signal?: AbortSignal): Promise<SpawnedProcess> {
    signal?.throwIfAborted();
    if (this.#isDisposed)
      throw new ProcessError("other", `the environment \`${this.name}\` is closed`, {
        environment: this.name,
      });
    const sandbox = withoutBound(options.sandbox, this.#options.boundIntent);
    const started = this.#startRemote({ ...options, sandbox }, signal);
    try {
      return await orAborted(started, signal);
    } catch (error) {
      // Given up while the answer was under way: what it brings is ended, under the id it brings.
      if (signal?.aborted) void started.then((late) => late[Symbol.asyncDispose]()).catch(() => {});
      throw this.#explained(error);
    }
  }

  onConnectionChange(listener: (change: ConnectionChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await Promise.all([...this.#running].map((process) => process[Symbol.asyncDispose]()));
    await this.#client[Symbol.asyncDispose]();
  }

  async #startRemote(
    options: SpawnOptions,
    signal: AbortSignal | undefined,
  ): Promise<SpawnedProcess> {
    const { dialect } = this.#client;
    const { processId: proposedId, process, started, failed } = this.#client.expectProcess();
    const call = signal === undefined ? {} : { signal };
    try {
      const processId = await dialect.start(proposedId, options, call);
      started(processId);
      return this.#keep(new RemoteProcess({ dialect, process, processId, environment: this.name }));
    } catch (error) {
      failed();
      throw error;
    }
  }

  #keep(process: RemoteProcess): RemoteProcess {
    this.#running.add(process);
    const forget = () => this.#running.delete(process);
    process.ended.then(forget, forget);
    return process;
  }

  #tell(change: LinkChange): void {
    for (const listener of this.#listeners) listener(connectionChange(change, this.name));
  }

  #explained(error: unknown): unknown {
    if (isLostConnection(error)) return lostProcess(error, this.name);
    if (error instanceof FileSystemError && isLostConnection(error.cause))
      return lostProcess(error.cause, this.name);
    if (error instanceof ExecServerError) {
      const kind = error.kind === "outcomeUnknown" ? error.kind : "other";
      return new ProcessError(kind, error.message, { cause: error, environment: this.name });
    }
    return error instanceof ProcessError ? namedProcessError(error, this.name) : error;
  }
}
