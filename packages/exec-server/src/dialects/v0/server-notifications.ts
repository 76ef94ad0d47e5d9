import type { OutgoingMessage } from "@codex/jsonrpc";
import { execServerV0 } from "@codex/protocol";
import type { OutputRecord, ProcessOutcome } from "../../server/output-log.ts";
import type { ProcessListener } from "../../server/served-process.ts";
import { toExitCode } from "./server-processes.ts";

const { processOutput, processExited } = execServerV0.serverNotifications;

/**
 * Tells a v0 client about its processes. All of a connection share one lane: a chunk is sent when the one before it,
 * of whatever process, found room, so that a slow reader has one chunk per process waiting and not one each on the wire.
 */
export class V0Notifications implements ProcessListener {
  readonly #send: (message: OutgoingMessage) => Promise<void>;
  #lane: Promise<void> = Promise.resolve();

  constructor(send: (message: OutgoingMessage) => Promise<void>) {
    this.#send = send;
  }

  output(processId: string, { stream, bytes }: OutputRecord): Promise<void> {
    // Built by hand: base64 needs no escaping, and escaping 64 KiB costs more than sending it.
    const prefix = `{"method":"${processOutput.method}","params":{"processId":${JSON.stringify(processId)},"stream":"${stream}","chunk":"`;
    return this.#inLane({ prefix, bytes, suffix: '"}}' });
  }

  exited(processId: string, { code }: ProcessOutcome): Promise<void> {
    const params = { processId, exitCode: toExitCode(code) };
    return this.#inLane({ method: processExited.method, params });
  }

  /** v0 has no word for it. */
  async closed(): Promise<void> {}

  #inLane(message: OutgoingMessage): Promise<void> {
    const sent = this.#lane.then(() => this.#send(message));
    this.#lane = sent.catch(() => undefined);
    return sent;
  }
}
