import {
  defaultTerminalSize,
  type Environment,
  exactEnvironment,
  type SpawnOptions,
} from "@codex/environment";
import { type Call, ResponseError } from "@codex/jsonrpc";
import {
  decodeBase64,
  encodeBase64,
  ErrorCode,
  type ExecParams,
  type ExecResponse,
  fullAccess,
  joinPath,
  parseFileUri,
  type ReadParams,
  type ReadResponse,
  type TerminateParams,
  type TerminateResponse,
  type WriteParams,
  type WriteResponse,
} from "@codex/protocol";
import type { CallOrder } from "../../server/call-order.ts";
import type { LogPage } from "../../server/output-log.ts";
import type { ProcessTable } from "../../server/process-table.ts";
import { invalidParams, invalidRequest } from "./server-errors.ts";

/** `process/*` of v0 over the server's process table. */
export class V0Processes {
  readonly #table: ProcessTable;
  readonly #environment: Environment;
  readonly #order: CallOrder;

  constructor(table: ProcessTable, environment: Environment, order: CallOrder) {
    this.#table = table;
    this.#environment = environment;
    this.#order = order;
  }

  async start(params: ExecParams, call: Call): Promise<ExecResponse> {
    const { processId, argv, sandbox, tty } = params;
    // In the order of the first server's checks.
    if (this.#table.has(processId)) throw invalidRequest(`process ${processId} already exists`);
    if (sandbox?.mode === "hostDefault")
      throw invalidRequest("sandbox mode `hostDefault` is not supported by exec-server yet");
    if (argv.length === 0) throw invalidParams("argv must not be empty");
    await this.#table.start(processId, {
      isTerminal: tty,
      hasInput: tty,
      after: call.answered,
      spawn: () =>
        this.#order.shared(async () => this.#environment.start(await this.#spawnOptions(params))),
    });
    return { processId };
  }

  async read({ processId, afterSeq, maxBytes, waitMs }: ReadParams): Promise<ReadResponse> {
    const page = await this.#table.read(processId, {
      afterSeq: afterSeq ?? 0,
      maxBytes: maxBytes ?? Number.POSITIVE_INFINITY,
      waitMs: waitMs ?? 0,
      isNews: ({ records, exited }) => records.length > 0 || exited !== undefined,
    });
    return toReadResponse(page);
  }

  async write({ processId, chunk }: WriteParams): Promise<WriteResponse> {
    const bytes = decodeBase64(chunk);
    if (bytes === undefined)
      throw invalidParams("invalid field `chunk`: expected padded standard base64");
    const process = await this.#table.find(processId);
    if (!process.isTerminal) throw invalidRequest(`stdin is closed for process ${processId}`);
    await process.write(bytes).catch((cause: unknown) => {
      const message = "failed to write to process stdin";
      throw new ResponseError(ErrorCode.internalError, message, { cause });
    });
    return { accepted: true };
  }

  terminate({ processId }: TerminateParams): TerminateResponse {
    return { running: this.#table.terminate(processId) !== "unknown" };
  }

  async #spawnOptions({ argv, cwd, env, tty, arg0 }: ExecParams): Promise<SpawnOptions> {
    return {
      argv,
      cwd: await this.#absolute(cwd),
      ...(arg0 != null && { arg0 }),
      env: exactEnvironment(env),
      tty: tty && defaultTerminalSize,
      stdin: tty ? "open" : "closed",
      sandbox: fullAccess,
    };
  }

  /** Any path text is taken for a working directory; a relative one starts where the server works. */
  async #absolute(cwd: string): Promise<string> {
    if (cwd.startsWith("/")) return cwd;
    return parseFileUri(cwd) ?? joinPath((await this.#environment.info()).cwd, cwd);
  }
}

function toReadResponse({ records, isCut, nextOutputSeq, exited }: LogPage): ReadResponse {
  const last = records.at(-1);
  return {
    chunks: records.map(({ seq, stream, bytes }) => ({ seq, stream, chunk: encodeBase64(bytes) })),
    nextSeq: isCut && last !== undefined ? last.seq + 1 : nextOutputSeq,
    exited: exited !== undefined,
    exitCode: exited === undefined ? null : toExitCode(exited.code),
  };
}

/** v0 has a number for every end; -1 when there is none to tell. */
export function toExitCode(code: number | undefined): number {
  return code ?? -1;
}
