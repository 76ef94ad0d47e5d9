import {
  defaultTerminalSize,
  type EnvironmentInfo,
  ProcessError,
  type SpawnOptions,
} from "@codex/environment";
import {
  checkAgainst,
  decodeBase64,
  execServerV0,
  type JsonRpcNotification,
  type ReadParams,
} from "@codex/protocol";
import { ProtocolError } from "@codex/jsonrpc";
import { setTimeout as delay } from "node:timers/promises";
import type {
  ClientDialect,
  DialectCallOptions,
  ExecutorOffers,
} from "../../client/client-dialect.ts";
import type { ClientProcess } from "../../client/client-process.ts";
import type { ExecServerClient } from "../../client/client.ts";
import type { ExecServerEvent } from "../../client/exec-server-event.ts";
import { isLostConnection } from "../../client/lost-error.ts";
import type { SeedCalls } from "../../client/seed-calls.ts";
import { V0ExecutorFacts } from "./executor-facts.ts";
import { createV0FileSystem } from "./client-file-system.ts";
import { v0ProcessError } from "./process-error.ts";
import { createV0SeedCalls } from "./seed-calls.ts";

/** How long output may come after `process/exited` before the process counts as closed. */
const lateOutputMs = 50;

/** What v0 has words for. */
export const v0Offers: ExecutorOffers = {
  resize: false,
  closeStdin: false,
  stdinPipes: false,
  signals: false,
  gracefulTerminate: false,
  exitSignal: false,
  canonicalize: false,
  rename: false,
  fileMode: false,
  fileSize: false,
  linkMetadata: false,
  atomicWrite: false,
  sandbox: false,
};

/** `variables`: of the server's machine, where they are known. */
export function createV0ClientDialect(
  client: ExecServerClient,
  variables?: Readonly<Record<string, string | undefined>>,
): ClientDialect {
  return new V0ClientDialect(client, variables);
}

const { serverNotifications } = execServerV0;

class V0ClientDialect implements ClientDialect {
  readonly name = "v0";
  readonly offers = v0Offers;
  readonly fileSystem;
  readonly seedCalls: SeedCalls;
  readonly #facts: V0ExecutorFacts;

  constructor(
    client: ExecServerClient,
    variables: Readonly<Record<string, string | undefined>> | undefined,
  ) {
    this.fileSystem = createV0FileSystem(client);
    this.seedCalls = createV0SeedCalls(client);
    this.#facts = new V0ExecutorFacts(this.fileSystem, variables);
  }

  info(options: DialectCallOptions = {}): Promise<Omit<EnvironmentInfo, "cwd">> {
    return this.#facts.info(options.signal);
  }

  /** Once sent, a start is waited for whatever the signal says: only its answer tells the id to end it by. */
  async start(
    processId: string,
    options: SpawnOptions,
    { signal }: DialectCallOptions = {},
  ): Promise<string> {
    refuseWhatV0CannotSay(options);
    const env = await this.#facts.childEnvironment(options.env, signal);
    signal?.throwIfAborted();
    const { argv, cwd, arg0, tty } = options;
    try {
      const answer = await this.seedCalls.exec({
        processId,
        argv: [...argv],
        cwd,
        env,
        tty: tty !== false,
        arg0: arg0 ?? null,
      });
      return answer.processId;
    } catch (error) {
      throw await v0ProcessError(error, options, this.fileSystem);
    }
  }

  async write(processId: string, bytes: Uint8Array, call: DialectCallOptions = {}): Promise<void> {
    await this.seedCalls.write(processId, bytes, call);
  }

  async closeStdin(): Promise<void> {
    throw unsupported("closing a process's standard input");
  }

  async resize(): Promise<void> {
    throw unsupported("resizing a terminal");
  }

  async signal(): Promise<void> {
    throw unsupported("sending a signal");
  }

  async terminate(processId: string, graceMs: number): Promise<void> {
    if (graceMs > 0) throw unsupported("ending a process with a grace period");
    await this.seedCalls.terminate(processId);
  }

  /** Ending a process always gets through, and there is none of this name. */
  async ask(): Promise<void> {
    await this.seedCalls.terminate("");
  }

  /** Chunks are numbered from 1 without gaps, so one read tells whether some are still under way. */
  async afterExit(processId: string, process: ClientProcess): Promise<void> {
    try {
      const { nextSeq } = await this.seedCalls.read(afterEverything(processId));
      if (process.outputEvents < nextSeq - 1) await delay(lateOutputMs, undefined, { ref: false });
    } catch (error) {
      if (isLostConnection(error)) return process.fail(error);
    }
    process.close();
  }

  event({ method, params }: JsonRpcNotification): ExecServerEvent | undefined {
    if (method === serverNotifications.processOutput.method) return outputEvent(params);
    if (method === serverNotifications.processExited.method) return exitedEvent(params);
    return undefined;
  }
}

function afterEverything(processId: string): ReadParams {
  return { processId, afterSeq: Number.MAX_SAFE_INTEGER, maxBytes: 0, waitMs: 0 };
}

function outputEvent(params: unknown): ExecServerEvent {
  const checked = checkAgainst(serverNotifications.processOutput.params, params);
  const bytes = checked.ok ? decodeBase64(checked.value.chunk) : undefined;
  if (!checked.ok || bytes === undefined) throw badNotification("process/output", checked);
  const { processId, stream } = checked.value;
  return { type: "output", processId, stream, bytes, seq: undefined };
}

function exitedEvent(params: unknown): ExecServerEvent {
  const checked = checkAgainst(serverNotifications.processExited.params, params);
  if (!checked.ok) throw badNotification("process/exited", checked);
  const { processId, exitCode } = checked.value;
  return {
    type: "exited",
    processId,
    exitCode,
    signal: undefined,
    sandboxDenied: undefined,
    seq: undefined,
  };
}

function badNotification(
  method: string,
  checked: { readonly ok: boolean; readonly message?: string },
): ProtocolError {
  return new ProtocolError(
    "malformed",
    `bad ${method} notification: ${checked.message ?? "chunk is not base64"}`,
  );
}

function refuseWhatV0CannotSay({ tty, stdin, sandbox }: SpawnOptions): void {
  if (sandbox.mode !== "danger-full-access") {
    throw new ProcessError(
      "sandboxUnavailable",
      `exec-server.v0 cannot carry the sandbox mode ${sandbox.mode}; nothing was run`,
    );
  }
  if (tty === false && stdin === "open")
    throw unsupported("an open standard input without a terminal");
  if (tty === false) return;
  if ([tty.rows, tty.columns].some((size) => !Number.isInteger(size) || size < 1 || size > 65_535))
    throw new ProcessError("invalidArgument", "rows and columns must be 1 to 65535");
  if (tty.rows !== defaultTerminalSize.rows || tty.columns !== defaultTerminalSize.columns)
    throw unsupported("a terminal that is not 24 x 80");
}

function unsupported(what: string): ProcessError {
  return new ProcessError("unsupported", `exec-server.v0 does not offer ${what}`);
}
