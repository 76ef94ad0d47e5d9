import {
  defaultTerminalSize,
  type Environment,
  exactEnvironment,
  type EnvironmentPolicy,
  ProcessError,
  type SpawnOptions,
} from "@codex/environment";
import type { Call } from "@codex/jsonrpc";
import {
  type CurrentParams,
  type CurrentResult,
  decodeBase64,
  encodeBase64,
  parseWirePath,
} from "@codex/protocol";
import type { LogPage } from "../../server/output-log.ts";
import { ProcessTableError } from "../../server/process-table.ts";
import type { ServedProcess } from "../../server/served-process.ts";
import type { Session } from "../../server/session.ts";
import type { GrantedExtensions } from "./extensions.ts";
import { intentOf } from "./intent.ts";
import { invalidParams, invalidRequest } from "./server-errors.ts";

type Done = Record<string, never>;
type WriteStatus = CurrentResult<"processWrite">;

/** From our own bound on what is remembered of writes: 4,096 names of this length are a megabyte. */
const maxWriteIdLength = 256;

/** `process/*` of the present form over a session's processes. */
export class CurrentProcesses {
  readonly #session: Session;
  readonly #environment: Environment;
  readonly #extensions: GrantedExtensions;

  constructor(session: Session, environment: Environment, extensions: GrantedExtensions) {
    this.#session = session;
    this.#environment = environment;
    this.#extensions = extensions;
  }

  async start(params: CurrentParams<"processStart">, call: Call) {
    const { processId, argv, tty, pipeStdin } = params;
    const { processes, order } = this.#session;
    if (processes.has(processId)) throw invalidRequest(`process ${processId} already exists`);
    if (argv.length === 0) throw invalidParams("argv must not be empty");
    this.#extensions.check([["size", params.size, "terminalSize"]]);
    refuseUnenforced(params);
    const sandbox = intentOf(params, this.#extensions);
    await processes.start(processId, {
      isTerminal: tty,
      hasInput: tty || pipeStdin === true,
      after: call.answered,
      spawn: () => order.shared(() => this.#environment.start({ ...toSpawn(params), sandbox })),
    });
    const isFree = sandbox.mode === "danger-full-access";
    return { processId, sandboxType: isFree ? "none" : "linuxSeccomp" };
  }

  /** The signal ends a wait. */
  async read(
    params: CurrentParams<"processRead">,
    signal: AbortSignal,
  ): Promise<CurrentResult<"processRead">> {
    const { processId, afterSeq, maxBytes, waitMs } = params;
    const after = afterSeq ?? 0;
    const page = await this.#session.processes.read(processId, {
      afterSeq: after,
      maxBytes: maxBytes ?? Number.POSITIVE_INFINITY,
      waitMs: waitMs ?? 0,
      signal,
      isNews: ({ records, exited, closedSeq }) =>
        records.length > 0 ||
        closedSeq !== undefined ||
        (exited !== undefined && exited.seq > after),
    });
    return this.#toReadResponse(page);
  }

  async write({ processId, chunk, writeId }: CurrentParams<"processWrite">): Promise<WriteStatus> {
    const bytes = decodeBase64(chunk);
    if (bytes === undefined) throw invalidParams("Invalid padding");
    if (writeId === "") throw invalidParams("writeId must not be empty");
    if (writeId.length > maxWriteIdLength)
      throw invalidParams(`writeId must not be longer than ${maxWriteIdLength}`);
    const process = await this.#known(processId);
    if (process === undefined) return { status: "unknownProcess" };
    const { writes } = this.#session;
    const earlier = writes.recall(process, writeId);
    if (earlier === undefined && !process.isInputOpen) return { status: "stdinClosed" };
    return (earlier ?? writes.write(process, writeId, bytes)).then(
      () => ({ status: "accepted" }),
      () => ({ status: "stdinClosed" }),
    );
  }

  /** Nothing happens to a process that is not known or has ended. */
  async signal({ processId, signal }: CurrentParams<"processSignal">): Promise<Done> {
    this.#extensions.check([["signal", signal === "interrupt" ? undefined : signal, "signals"]]);
    const process = await this.#known(processId);
    await process?.signal(signal === "interrupt" ? "SIGINT" : signal);
    return {};
  }

  terminate({ processId, graceMs }: CurrentParams<"processTerminate">) {
    this.#extensions.check([["graceMs", graceMs, "gracefulTerminate"]]);
    return { running: this.#session.processes.terminate(processId, graceMs) === "running" };
  }

  async resize({ processId, size }: CurrentParams<"processResize">): Promise<Done> {
    const process = await this.#session.processes.find(processId);
    await process.resize(size);
    return {};
  }

  async closeStdin({ processId }: CurrentParams<"processCloseStdin">): Promise<Done> {
    const process = await this.#session.processes.find(processId);
    if (!process.isTerminal && !process.isInputOpen)
      throw new ProcessError("stdinClosed", `stdin is closed for process ${processId}`);
    await process.closeStdin();
    return {};
  }

  list(): CurrentResult<"processList"> {
    const processes = this.#session.processes.list().map(({ processId, process }) => ({
      processId,
      tty: process?.isTerminal ?? false,
      state: stateOf(process),
      nextSeq: process?.log.nextSeq ?? 1,
    }));
    return { processes };
  }

  async #known(processId: string): Promise<ServedProcess | undefined> {
    return this.#session.processes.find(processId).catch((error: unknown) => {
      if (error instanceof ProcessTableError && error.kind === "unknown") return undefined;
      throw error;
    });
  }

  #toReadResponse(page: LogPage): CurrentResult<"processRead"> {
    const { records, isCut, nextSeq, exited, closedSeq, firstSeq, droppedBytes } = page;
    const last = records.at(-1);
    const signal = this.#extensions.has("exitSignal") ? exited?.signal : undefined;
    return {
      chunks: records.map(({ seq, stream, bytes }) => ({
        seq,
        stream,
        chunk: encodeBase64(bytes),
      })),
      nextSeq: isCut && last !== undefined ? last.seq + 1 : nextSeq,
      exited: exited !== undefined,
      exitCode: exited === undefined ? null : toExitCode(exited.code),
      closed: closedSeq !== undefined,
      failure: exited?.failure ?? null,
      sandboxDenied: exited?.sandboxDenied ?? false,
      ...(signal !== undefined && { signal }),
      ...(this.#extensions.has("readGap") && { firstSeq, droppedBytes }),
    };
  }
}

/** -1 when there is no code to tell. */
export function toExitCode(code: number | undefined): number {
  return code ?? -1;
}

function stateOf(
  process: ServedProcess | undefined,
): CurrentResult<"processList">["processes"][number]["state"] {
  if (process === undefined) return "starting";
  if (process.log.isClosed) return "closed";
  return process.log.hasExited ? "exited" : "running";
}

/** What asks for something that nothing here does, and that must not be left out in silence. */
function refuseUnenforced(params: CurrentParams<"processStart">): void {
  const { enforceManagedNetwork, managedNetwork, networkProxy, shellSnapshot } = params;
  if (enforceManagedNetwork === true || managedNetwork != null || networkProxy != null)
    throw invalidRequest("a managed network is not supported by this exec-server");
  if (shellSnapshot != null)
    throw invalidRequest("shell snapshots are not supported by this exec-server");
}

function toSpawn(params: CurrentParams<"processStart">): Omit<SpawnOptions, "sandbox"> {
  const { argv, cwd, arg0, tty, pipeStdin, size } = params;
  return {
    argv,
    // The schema has checked it.
    cwd: parseWirePath(cwd) ?? cwd,
    ...(arg0 != null && { arg0 }),
    env: toPolicy(params),
    tty: tty && (size ?? defaultTerminalSize),
    stdin: tty || pipeStdin === true ? "open" : "closed",
  };
}

function toPolicy({ envPolicy, env }: CurrentParams<"processStart">): EnvironmentPolicy {
  return envPolicy == null ? exactEnvironment(env) : { ...envPolicy, overlay: env };
}
