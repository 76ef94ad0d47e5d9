import {
  defaultTerminalSize,
  type EnvironmentInfo,
  type FileSystem,
  ProcessError,
  type ProcessSignal,
  type SpawnOptions,
  type TerminalSize,
} from "@codex/environment";
import {
  type CurrentParams,
  type CurrentResult,
  encodeBase64,
  execServerCurrent,
  type ExtensionName,
} from "@codex/protocol";
import type {
  ClientDialect,
  DialectCallOptions,
  ExecutorOffers,
} from "../../client/client-dialect.ts";
import type { ClientProcess } from "../../client/client-process.ts";
import type { ExecServerClient } from "../../client/client.ts";
import { ExecServerError } from "../../client/exec-server-error.ts";
import type { ExecServerEvent } from "../../client/exec-server-event.ts";
import type { ProcessRoute } from "../../client/process-routes.ts";
import type { SeedCalls } from "../../client/seed-calls.ts";
import { toldProcessKind } from "../v0/error-kind.ts";
import { Acknowledgements } from "./client-acknowledgements.ts";
import { applyPage } from "./client-catch-up.ts";
import { explainStart } from "./client-errors.ts";
import { currentEvent } from "./client-events.ts";
import { createCurrentFileSystem, type Has } from "./client-file-system.ts";
import { machineFacts } from "./client-info.ts";
import { sayIntent, toUri } from "./client-sandbox.ts";
import { createCurrentSeedCalls } from "./client-seed-calls.ts";

const { requests, clientNotifications } = execServerCurrent;

/** The present form, as far as the answer to `initialize` says the server goes with us. */
export function createCurrentClientDialect(
  client: ExecServerClient,
  answer: CurrentResult<"initialize">,
): ClientDialect {
  return new CurrentClientDialect(client, answer);
}

class CurrentClientDialect implements ClientDialect {
  readonly name = "current";
  readonly offers: ExecutorOffers;
  readonly fileSystem: FileSystem;
  readonly seedCalls: SeedCalls;
  readonly event = currentEvent;
  readonly #client: ExecServerClient;
  readonly #has: Has;
  readonly #acknowledgements = new Acknowledgements();
  #machine: CurrentResult<"environmentInfo"> | undefined;
  #lastWrite = 0;

  constructor(client: ExecServerClient, answer: CurrentResult<"initialize">) {
    const granted = new Set<string>(answer.extensions);
    this.#client = client;
    this.#has = (extension) => granted.has(extension);
    this.#machine = answer.environmentInfo;
    this.offers = offersOf(this.#has);
    this.fileSystem = createCurrentFileSystem(client, this.#has);
    const newWriteId = () => this.#newWriteId();
    this.seedCalls = createCurrentSeedCalls({ client, has: this.#has, newWriteId });
  }

  /** No round trip, where the server has told with its first answer. */
  async info({ signal }: DialectCallOptions = {}): Promise<Omit<EnvironmentInfo, "cwd">> {
    this.#machine ??= await this.#client.call(requests.environmentInfo, null, {
      ...(signal && { signal }),
    });
    return machineFacts(this.#machine);
  }

  /**
   * Once sent, a start is waited for whatever the signal says. When a cut takes the answer, the server is asked
   * whether the process is there: then the start has its answer after all.
   */
  async start(
    processId: string,
    options: SpawnOptions,
    { signal }: DialectCallOptions = {},
  ): Promise<string> {
    const params = this.#startParams(processId, options);
    signal?.throwIfAborted();
    try {
      return (await this.#client.call(requests.processStart, params)).processId;
    } catch (error) {
      if (isOutcomeUnknown(error) && (await this.#isThere(processId))) return processId;
      throw await explainStart(error, options, this.fileSystem);
    }
  }

  /** Named, so that a repeat after a cut is not written twice. */
  async write(processId: string, bytes: Uint8Array, call: DialectCallOptions = {}): Promise<void> {
    const params = { processId, chunk: encodeBase64(bytes), writeId: this.#newWriteId() };
    const { status } = await this.#client.call(requests.processWrite, params, call);
    if (status === "accepted") return;
    const text = status === "starting" ? "the process is still starting" : "stdin is closed";
    throw new ProcessError(status === "starting" ? "other" : "stdinClosed", text);
  }

  async closeStdin(processId: string): Promise<void> {
    if (!this.#has("closeStdin")) throw unsupported("closing a process's standard input");
    const close = () => this.#client.call(requests.processCloseStdin, { processId });
    try {
      await close().catch(async (error: unknown) => {
        if (!isOutcomeUnknown(error)) throw error;
        await close().catch(ignoreClosed);
      });
    } catch (error) {
      throw told(error);
    }
  }

  async resize(processId: string, size: TerminalSize): Promise<void> {
    if (!this.#has("terminalSize")) throw unsupported("resizing a terminal");
    checkSize(size);
    await this.#client.call(requests.processResize, { processId, size }).catch((error: unknown) => {
      throw told(error);
    });
  }

  async signal(processId: string, name: ProcessSignal): Promise<void> {
    if (!this.#has("signals") && name !== "SIGINT") throw unsupported(`sending ${name}`);
    const signal = name === "SIGINT" ? "interrupt" : name;
    await this.#client.call(requests.processSignal, { processId, signal });
  }

  async terminate(processId: string, graceMs: number): Promise<void> {
    if (graceMs > 0 && !this.#has("gracefulTerminate"))
      throw unsupported("ending a process with a grace period");
    const params = { processId, ...(graceMs > 0 && { graceMs }) };
    await this.#client.call(requests.processTerminate, params);
  }

  /** The server says itself when all has been sent. */
  afterExit(_: string, process: ClientProcess): Promise<void> {
    return process.arrived.catch(() => undefined);
  }

  delivered(event: ExecServerEvent, route: ProcessRoute | undefined): void {
    if (!this.#has("outputAck") || event.type !== "output") return;
    if (route === undefined) this.#acknowledge(event.processId, event.seq ?? 0);
    else if (this.#acknowledgements.isDue(route.order, event.bytes.length))
      this.#acknowledge(route.processId, route.order.next - 1);
  }

  async catchUp(
    route: ProcessRoute,
    deliver: (events: readonly ExecServerEvent[]) => void,
  ): Promise<void> {
    const { processId, order } = route;
    const params = { processId, afterSeq: order.next - 1, maxBytes: null, waitMs: 0 };
    applyPage(route, await this.#client.call(requests.processRead, params), deliver);
    if (this.#has("outputAck")) this.#acknowledge(processId, order.next - 1);
  }

  async ask(): Promise<void> {
    await this.#client.call(requests.environmentStatus, null);
  }

  async end(signal: AbortSignal): Promise<void> {
    if (this.#has("sessionEnd")) await this.#client.call(requests.sessionEnd, {}, { signal });
  }

  #startParams(processId: string, options: SpawnOptions): CurrentParams<"processStart"> {
    const { argv, cwd, arg0, env, tty, stdin, sandbox } = options;
    const { overlay, ...envPolicy } = env;
    return {
      processId,
      metadata: null,
      argv: [...argv],
      cwd: toUri(cwd),
      envPolicy: {
        ...envPolicy,
        exclude: [...envPolicy.exclude],
        set: { ...envPolicy.set },
        includeOnly: [...envPolicy.includeOnly],
      },
      env: { ...overlay },
      tty: tty !== false,
      pipeStdin: tty === false && stdin === "open",
      arg0: arg0 ?? null,
      enforceManagedNetwork: false,
      managedNetwork: null,
      ...this.#sizeOf(tty),
      ...sayIntent(sandbox, { ownWords: this.#has("sandboxIntent"), cwd }),
    };
  }

  #sizeOf(tty: SpawnOptions["tty"]): { readonly size?: TerminalSize } {
    if (tty === false) return {};
    checkSize(tty);
    const { rows, columns } = tty;
    if (this.#has("terminalSize")) return { size: { rows, columns } };
    if (rows === defaultTerminalSize.rows && columns === defaultTerminalSize.columns) return {};
    throw unsupported("a terminal that is not 24 x 80");
  }

  /** Whether a start whose answer was lost has taken effect; then its first events are fetched. */
  async #isThere(processId: string): Promise<boolean> {
    try {
      await this.#client.catchUp(processId);
      return true;
    } catch (error) {
      if (!(error instanceof ExecServerError) || error.kind !== "server") throw error;
      return false;
    }
  }

  #acknowledge(processId: string, seq: number): void {
    if (seq > 0) this.#client.notify(clientNotifications.processAck, { processId, seq });
  }

  #newWriteId(): string {
    return String(++this.#lastWrite);
  }
}

function offersOf(has: (extension: ExtensionName) => boolean): ExecutorOffers {
  return {
    resize: has("terminalSize"),
    closeStdin: has("closeStdin"),
    stdinPipes: true,
    signals: has("signals"),
    gracefulTerminate: has("gracefulTerminate"),
    exitSignal: has("exitSignal"),
    canonicalize: true,
    rename: has("rename"),
    fileMode: has("fileMode"),
    fileSize: true,
    linkMetadata: true,
    atomicWrite: has("atomicWrite"),
    // The original's own words are always there.
    sandbox: true,
  };
}

function checkSize({ rows, columns }: TerminalSize): void {
  if ([rows, columns].every((size) => Number.isInteger(size) && size >= 1 && size <= 65_535))
    return;
  throw new ProcessError("invalidArgument", "rows and columns must be 1 to 65535");
}

function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof ExecServerError && error.kind === "outcomeUnknown";
}

/** The first one was received, then. */
function ignoreClosed(error: unknown): void {
  if (error instanceof ExecServerError && toldProcessKind(error) === "stdinClosed") return;
  throw error;
}

/** A refusal by the kind the server says. */
function told(error: unknown): unknown {
  const kind = error instanceof ExecServerError ? toldProcessKind(error) : undefined;
  return error instanceof ExecServerError && kind !== undefined
    ? new ProcessError(kind, error.message, { cause: error })
    : error;
}

function unsupported(what: string): ProcessError {
  return new ProcessError("unsupported", `this exec-server does not offer ${what}`);
}
