import { decodeBase64, type ReadResponse } from "@codex/protocol";
import type { ExecServerClient } from "./client.ts";

/** A process as far as it is known: what it printed, each stream apart, and whether it has ended. */
export interface ProcessSnapshot {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** What it printed on its terminal; such a process has no other output. */
  readonly terminal: Uint8Array;
  /** Output is missing: the server keeps the newest 1 MiB, and a collector its own limit. */
  readonly isTruncated: boolean;
  readonly isRunning: boolean;
  /** 128+n after signal n, -1 when the server does not know; undefined while it runs. */
  readonly exitCode: number | undefined;
}

export interface ProcessWaitOptions {
  /** Gives up with the signal's reason; the process runs on. */
  readonly signal?: AbortSignal;
}

export interface CommunicateOptions extends ProcessWaitOptions {
  /** Bytes that are kept, the first ones; the rest is read and dropped. Default 16 MiB. */
  readonly maxBytes?: number;
}

/** How long the server may hold one question back; a server that answers in order serves nobody else meanwhile. */
const waitMs = 1_000;
const defaultMaxBytes = 16 * 1024 * 1024;

/** What the server still keeps of a process. One round trip. Processes are kept until 30 s after their exit. */
export async function snapshot(
  client: ExecServerClient,
  processId: string,
  { signal }: ProcessWaitOptions = {},
): Promise<ProcessSnapshot> {
  const collected = new Collected(defaultMaxBytes);
  collected.add(await client.read({ processId }, optionsOf(signal)));
  return collected.toSnapshot();
}

/** Waits for the end of a process and gives its code; its output is left to others. */
export async function wait(
  client: ExecServerClient,
  processId: string,
  { signal }: ProcessWaitOptions = {},
): Promise<number> {
  const question = { processId, afterSeq: Number.MAX_SAFE_INTEGER, waitMs };
  for (;;) {
    const { exited, exitCode } = await client.read(question, optionsOf(signal));
    if (exited) return exitCode ?? -1;
  }
}

/** Writes `input`, if there is any, then collects what the process prints until it has ended. */
export async function communicate(
  client: ExecServerClient,
  processId: string,
  { input, signal, maxBytes = defaultMaxBytes }: CommunicateOptions & { input?: Uint8Array } = {},
): Promise<ProcessSnapshot> {
  const collected = new Collected(maxBytes);
  const written =
    input === undefined ? undefined : client.write(processId, input, optionsOf(signal));
  const read = async (): Promise<ProcessSnapshot> => {
    for (;;) {
      const { lastSeq: afterSeq } = collected;
      const answer = await client.read({ processId, afterSeq, waitMs }, optionsOf(signal));
      collected.add(answer);
      if (answer.exited && answer.chunks.length === 0) return collected.toSnapshot();
    }
  };
  const [result] = await Promise.all([read(), written]);
  return result;
}

class Collected {
  /** Number of the newest chunk that is here. */
  lastSeq = 0;
  readonly #maxBytes: number;
  readonly #pieces = {
    stdout: [] as Uint8Array[],
    stderr: [] as Uint8Array[],
    pty: [] as Uint8Array[],
  };
  #bytes = 0;
  #isTruncated = false;
  #exit: Pick<ReadResponse, "exited" | "exitCode"> = { exited: false, exitCode: null };

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add({ chunks, exited, exitCode }: ReadResponse): void {
    for (const { seq, stream, chunk } of chunks) {
      if (seq > this.lastSeq + 1) this.#isTruncated = true;
      this.lastSeq = seq;
      this.#keep(stream, decodeBase64(chunk) ?? new Uint8Array(0));
    }
    this.#exit = { exited, exitCode };
  }

  toSnapshot(): ProcessSnapshot {
    const { exited, exitCode } = this.#exit;
    return {
      stdout: joined(this.#pieces.stdout),
      stderr: joined(this.#pieces.stderr),
      terminal: joined(this.#pieces.pty),
      isTruncated: this.#isTruncated,
      isRunning: !exited,
      exitCode: exited ? (exitCode ?? -1) : undefined,
    };
  }

  #keep(stream: "stdout" | "stderr" | "pty", bytes: Uint8Array): void {
    const kept = bytes.subarray(0, Math.max(0, this.#maxBytes - this.#bytes));
    if (kept.length < bytes.length) this.#isTruncated = true;
    if (kept.length > 0) this.#pieces[stream].push(kept);
    this.#bytes += kept.length;
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces));
}

function optionsOf(signal: AbortSignal | undefined) {
  return signal === undefined ? {} : { signal };
}
