import {
  type OutputChunk,
  ProcessError,
  type ProcessExit,
  type ProcessSignal,
  type SpawnedProcess,
  type TerminalSize,
} from "@codex/environment";
import { settleWithin } from "@codex/jsonrpc";
import type { ClientDialect } from "./client-dialect.ts";
import type { ClientProcess } from "./client-process.ts";
import { ExecServerError } from "./exec-server-error.ts";
import { isLostConnection, lostProcess } from "./lost-error.ts";

export interface RemoteProcessParts {
  readonly dialect: ClientDialect;
  readonly process: ClientProcess;
  readonly processId: string;
  readonly environment: string;
}

/** Grace between SIGTERM and SIGKILL, as for a process of this machine. */
const defaultGraceMs = 2_000;
/** How long disposing waits for an executor that does not answer; the connection's end takes care of the rest. */
const farewellMs = 2_000;

/** A process of the far machine, as if it were near. */
export class RemoteProcess implements SpawnedProcess {
  readonly pid = undefined;
  readonly output: AsyncIterable<OutputChunk>;
  readonly #parts: RemoteProcessParts;
  readonly #exit: Promise<ProcessExit>;
  readonly #closed: Promise<void>;

  constructor(parts: RemoteProcessParts) {
    this.#parts = parts;
    const { process } = parts;
    this.output = { [Symbol.asyncIterator]: () => this.#iterate() };
    this.#exit = this.#ending(process.exit);
    this.#closed = this.#ending(process.closed);
  }

  get exit(): Promise<ProcessExit> {
    this.#parts.process.awaitEnd();
    return this.#exit;
  }

  get closed(): Promise<void> {
    this.#parts.process.awaitEnd();
    return this.#closed;
  }

  /** As `closed`, without counting as somebody who waits for it. */
  get ended(): Promise<void> {
    return this.#closed;
  }

  async write(bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    const { dialect, processId, process } = this.#parts;
    signal?.throwIfAborted();
    if (process.hasExited)
      throw this.#named(new ProcessError("stdinClosed", "the process has ended"));
    const call = signal === undefined ? {} : { signal };
    await this.#said(dialect.write(processId, bytes, call), "stdinClosed");
  }

  async closeStdin(): Promise<void> {
    const { dialect, processId } = this.#parts;
    await this.#said(dialect.closeStdin(processId), "stdinClosed");
  }

  async resize(size: TerminalSize): Promise<void> {
    const { dialect, processId } = this.#parts;
    await this.#said(dialect.resize(processId, size), "other");
  }

  async signal(name: ProcessSignal): Promise<void> {
    const { dialect, processId, process } = this.#parts;
    if (process.hasExited && dialect.offers.signals) return;
    await this.#said(dialect.signal(processId, name), "other");
  }

  /** A grace period is refused where the server only knows KILL; left out, the process is ended as gently as it can. */
  async terminate({ graceMs }: { readonly graceMs?: number } = {}): Promise<void> {
    const { dialect, processId, process } = this.#parts;
    const grace = graceMs ?? (dialect.offers.gracefulTerminate ? defaultGraceMs : 0);
    if (!process.hasExited) await this.#said(dialect.terminate(processId, grace), "other");
    await this.exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { process, dialect, processId } = this.#parts;
    await process.output.return();
    if (process.hasExited || process.isClosed) return;
    await settleWithin(
      dialect.terminate(processId, 0).then(
        () => this.exit,
        () => undefined,
      ),
      farewellMs,
    );
  }

  #iterate(): AsyncIterator<OutputChunk> {
    const { output } = this.#parts.process;
    return {
      next: () => output.next().catch((error: unknown) => this.#rethrow(error)),
      return: () => output.return(),
    };
  }

  /** The environment's name on whatever went wrong; a refusal by the server is of the given kind. */
  async #said(call: Promise<void>, refusal: "stdinClosed" | "other"): Promise<void> {
    try {
      await call;
    } catch (error) {
      if (error instanceof ProcessError) throw this.#named(error);
      if (error instanceof ExecServerError && error.kind === "server")
        throw this.#named(new ProcessError(refusal, error.message, { cause: error }));
      if (error instanceof ExecServerError && error.kind === "outcomeUnknown")
        throw this.#named(new ProcessError(error.kind, error.message, { cause: error }));
      this.#rethrow(error);
    }
  }

  #ending<T>(end: Promise<T>): Promise<T> {
    const named = end.catch((error: unknown) => this.#rethrow(error));
    named.catch(() => undefined);
    return named;
  }

  #rethrow(error: unknown): never {
    if (isLostConnection(error)) throw lostProcess(error, this.#parts.environment);
    throw error;
  }

  #named(error: ProcessError): ProcessError {
    return namedProcessError(error, this.#parts.environment);
  }
}

/** The error with the environment's name; what is not offered there says so. */
export function namedProcessError(
  { kind, message, cause }: ProcessError,
  environment: string,
): ProcessError {
  const text = kind === "unsupported" ? `environment \`${environment}\`: ${message}` : message;
  return new ProcessError(kind, text, { cause, environment });
}
