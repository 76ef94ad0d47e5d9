import type { OutgoingMessage } from "@codex/jsonrpc";
import { execServerCurrent } from "@codex/protocol";
import type { OutputRecord, ProcessOutcome } from "../../server/output-log.ts";
import type { ProcessListener } from "../../server/served-process.ts";
import type { GrantedExtensions } from "./extensions.ts";
import { toExitCode } from "./server-processes.ts";

const { processOutput, processExited, processClosed } = execServerCurrent.serverNotifications;

/**
 * Tells one connection about the processes of its session. All share one lane: a chunk is sent when the one before it,
 * of whatever process, found room, so that a slow reader has one chunk per process waiting and not one each on the wire.
 */
export class CurrentNotifications implements ProcessListener {
  readonly #send: (message: OutgoingMessage) => Promise<void>;
  readonly #extensions: GrantedExtensions;
  #lane: Promise<void> = Promise.resolve();

  constructor(send: (message: OutgoingMessage) => Promise<void>, extensions: GrantedExtensions) {
    this.#send = send;
    this.#extensions = extensions;
  }

  output(processId: string, { seq, stream, bytes }: OutputRecord): Promise<void> {
    // Built by hand: base64 needs no escaping, and escaping 64 KiB costs more than sending it.
    const prefix = `{"method":"${processOutput.method}","params":{"processId":${JSON.stringify(processId)},"seq":${seq},"stream":"${stream}","chunk":"`;
    return this.#inLane({ prefix, bytes, suffix: '"}}' });
  }

  exited(processId: string, outcome: ProcessOutcome, seq: number): Promise<void> {
    const { code, signal, sandboxDenied = false } = outcome;
    const params = {
      processId,
      seq,
      exitCode: toExitCode(code),
      sandboxDenied,
      ...(signal !== undefined && this.#extensions.has("exitSignal") && { signal }),
    };
    return this.#inLane({ method: processExited.method, params });
  }

  closed(processId: string, seq: number): Promise<void> {
    return this.#inLane({ method: processClosed.method, params: { processId, seq } });
  }

  #inLane(message: OutgoingMessage): Promise<void> {
    const sent = this.#lane.then(() => this.#send(message));
    this.#lane = sent.catch(() => undefined);
    return sent;
  }
}
