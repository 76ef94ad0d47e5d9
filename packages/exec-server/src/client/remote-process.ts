import {
  type OutputChunk,
  ProcessError,
  type ProcessExit,
  type ProcessSignal,
  type SpawnedProcess,
  type TerminalSize,
} from "@codex/environment";
import type { ClientProcess } from "./client-process.ts";
import type { ExecServerClient } from "./client.ts";
import { ExecServerError } from "./exec-server-error.ts";
import { isLostConnection, lostProcess } from "./lost-error.ts";

export interface RemoteProcessParts {
  readonly client: ExecServerClient;
  readonly process: ClientProcess;
  readonly processId: string;
  readonly environment: string;
}

/** Default grace between SIGTERM and SIGKILL, as for a process of this machine. */
const defaultGraceMs = 2_000;

/** A process of the far machine, as if it were near. */
export class RemoteProcess implements SpawnedProcess {
  readonly pid = undefined;
  readonly output: AsyncIterable<OutputChunk>;
  readonly exit: Promise<ProcessExit>;
  readonly closed: Promise<void>;
  readonly #parts: RemoteProcessParts;

  constructor(parts: RemoteProcessParts) {
    this.#parts = parts;
    const { process } = parts;
    this.output = this.#read();
    this.exit = quiet(process.exit.catch((error: unknown) => this.#rethrow(error)));
    this.closed = quiet(process.closed.catch((error: unknown) => this.#rethrow(error)));
  }

  async write(bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    const { client, processId, process } = this.#parts;
    signal?.throwIfAborted();
    if (process.hasExited)
      throw this.#named(new ProcessError("stdinClosed", "the process has ended"));
    await this.#said(
      client.dialect.write(processId, bytes, signal === undefined ? {} : { signal }),
      "stdinClosed",
    );
  }

  async closeStdin(): Promise<void> {
    const { client, processId } = this.#parts;
    await this.#said(client.dialect.closeStdin(processId), "stdinClosed");
  }

  async resize(size: TerminalSize): Promise<void> {
    const { client, processId } = this.#parts;
    await this.#said(client.dialect.resize(processId, size), "other");
  }

  async signal(name: ProcessSignal): Promise<void> {
    const { client, processId, process } = this.#parts;
    if (process.hasExited && client.dialect.offers.signals) return;
    await this.#said(client.dialect.signal(processId, name), "other");
  }

  async terminate(options: { readonly graceMs?: number } = {}): Promise<void> {
    const { client, processId, process } = this.#parts;
    if (!process.hasExited)
      await this.#said(
        client.dialect.terminate(processId, options.graceMs ?? defaultGraceMs),
        "other",
      );
    await this.exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { client, processId, process } = this.#parts;
    await process.output.return();
    client.readOn();
    if (process.hasExited || process.isClosed) return;
    await client.dialect.terminate(processId, 0).catch(() => undefined);
    await process.exit.catch(() => undefined);
  }

  async *#read(): AsyncGenerator<OutputChunk, void, void> {
    const { client, process } = this.#parts;
    try {
      for await (const chunk of process.output) {
        client.readOn();
        yield chunk;
      }
    } catch (error) {
      this.#rethrow(error);
    } finally {
      client.readOn();
    }
  }

  /** The environment's name on whatever went wrong; a refusal by the server is of the given kind. */
  async #said(call: Promise<void>, refusal: "stdinClosed" | "other"): Promise<void> {
    try {
      await call;
    } catch (error) {
      if (error instanceof ProcessError) throw this.#named(error);
      if (error instanceof ExecServerError && error.kind === "server") {
        throw new ProcessError(refusal, error.message, {
          cause: error,
          environment: this.#parts.environment,
        });
      }
      this.#rethrow(error);
    }
  }

  #rethrow(error: unknown): never {
    if (isLostConnection(error)) throw lostProcess(error, this.#parts.environment);
    throw error;
  }

  #named({ kind, message, cause }: ProcessError): ProcessError {
    return new ProcessError(kind, message, { cause, environment: this.#parts.environment });
  }
}

function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
