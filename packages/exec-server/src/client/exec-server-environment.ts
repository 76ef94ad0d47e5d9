import {
  type Environment,
  type EnvironmentInfo,
  type FileSystem,
  ProcessError,
  type SpawnedProcess,
  type SpawnOptions,
} from "@codex/environment";
import { type AbsolutePath, fullAccess, type SandboxIntent } from "@codex/protocol";
import type { ExecServerClient } from "./client.ts";
import { ExecServerError } from "./exec-server-error.ts";
import { isLostConnection, lostProcess } from "./lost-error.ts";
import { createRemoteFileSystem } from "./remote-file-system.ts";
import { RemoteProcess } from "./remote-process.ts";

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
  #isDisposed = false;

  constructor(client: ExecServerClient, options: ExecServerEnvironmentOptions) {
    this.#client = client;
    this.#options = options;
    this.name = options.name;
    this.fileSystem = createRemoteFileSystem(client.dialect.fileSystem, {
      name: options.name,
      boundIntent: options.boundIntent,
    });
  }

  async info(signal?: AbortSignal): Promise<EnvironmentInfo> {
    signal?.throwIfAborted();
    try {
      return {
        cwd: this.#options.cwd,
        ...(await this.#client.dialect.info(signal === undefined ? {} : { signal })),
      };
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
    const processId = this.#client.newProcessId();
    const route = this.#client.routes.expect(processId);
    try {
      const request = {
        ...options,
        sandbox: withoutBound(options.sandbox, this.#options.boundIntent),
      };
      const answered = await this.#client.dialect.start(
        processId,
        request,
        signal === undefined ? {} : { signal },
      );
      route.started(answered);
      return this.#keep(
        new RemoteProcess({
          client: this.#client,
          process: route.process,
          processId: answered,
          environment: this.name,
        }),
      );
    } catch (error) {
      route.failed();
      // Given up while the answer was under way: it may have started, so it is ended.
      if (signal?.aborted) void this.#client.dialect.terminate(processId, 0).catch(() => undefined);
      throw this.#explained(error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await Promise.all([...this.#running].map((process) => process[Symbol.asyncDispose]()));
    await this.#client[Symbol.asyncDispose]();
  }

  #keep(process: RemoteProcess): RemoteProcess {
    this.#running.add(process);
    void process.closed.catch(() => undefined).finally(() => this.#running.delete(process));
    return process;
  }

  #explained(error: unknown): unknown {
    if (isLostConnection(error)) return lostProcess(error, this.name);
    if (error instanceof ExecServerError)
      return new ProcessError("other", error.message, { cause: error, environment: this.name });
    if (!(error instanceof ProcessError)) return error;
    return new ProcessError(error.kind, error.message, {
      cause: error.cause,
      environment: this.name,
    });
  }
}

/** What still has to be said on the wire. */
export function withoutBound(
  intent: SandboxIntent,
  bound: SandboxIntent | undefined,
): SandboxIntent {
  return bound !== undefined && JSON.stringify(intent) === JSON.stringify(bound)
    ? fullAccess
    : intent;
}
