import type { OutputChunk, OutputStream } from "@codex/pty";
import type { ServerLimits } from "./limits.ts";

/** A chunk with its number. The bytes are the log's own memory. */
export interface OutputRecord {
  readonly seq: number;
  readonly stream: OutputStream;
  readonly bytes: Uint8Array;
}

/** How a process ended: `code` is undefined when the side that ran it was lost. */
export interface ProcessOutcome {
  readonly code: number | undefined;
  readonly signal?: string;
  readonly sandboxDenied?: boolean;
  /** What went wrong, when there is no code. */
  readonly failure?: string;
}

export interface LogPage {
  /** Oldest first. */
  readonly records: readonly OutputRecord[];
  /** True when `maxBytes` left records out. */
  readonly isCut: boolean;
  /** Number the next chunk after the newest one would have had, had nothing else been numbered. */
  readonly nextOutputSeq: number;
  /** Number of the next event of any kind. */
  readonly nextSeq: number;
  readonly exited: (ProcessOutcome & { readonly seq: number }) | undefined;
  readonly closedSeq: number | undefined;
  /** Number of the oldest chunk that is retained; `nextSeq` when none is. */
  readonly firstSeq: number;
  /** Bytes from the start of the output that are not retained any more. */
  readonly droppedBytes: number;
}

/**
 * What one process has said, in order: output, then one exit, then one close, numbered by one counter from 1. Output
 * may follow the exit, nothing follows the close. The newest output is retained within both bounds, whole oldest
 * chunks dropped first; numbers are never reused.
 */
export class OutputLog {
  readonly #limits: Pick<ServerLimits, "retainedBytes" | "retainedChunks">;
  #records: OutputRecord[] = [];
  #head = 0;
  #retainedBytes = 0;
  #droppedBytes = 0;
  #nextSeq = 1;
  #nextOutputSeq = 1;
  #exited: LogPage["exited"];
  #closedSeq: number | undefined;
  #news: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  constructor(limits: Pick<ServerLimits, "retainedBytes" | "retainedChunks">) {
    this.#limits = limits;
  }

  get hasExited(): boolean {
    return this.#exited !== undefined;
  }

  get isClosed(): boolean {
    return this.#closedSeq !== undefined;
  }

  /** Number of the next event of any kind. */
  get nextSeq(): number {
    return this.#nextSeq;
  }

  /** Bytes of output so far, dropped ones too. */
  get outputBytes(): number {
    return this.#droppedBytes + this.#retainedBytes;
  }

  append({ stream, bytes }: OutputChunk): OutputRecord {
    const record = { seq: this.#take(), stream, bytes: ownMemory(bytes) };
    this.#nextOutputSeq = this.#nextSeq;
    this.#records.push(record);
    this.#retainedBytes += record.bytes.byteLength;
    this.#dropOldest();
    this.wake();
    return record;
  }

  /** Gives the number of the exit. */
  markExited(outcome: ProcessOutcome): number {
    const seq = this.#take();
    this.#exited = { ...outcome, seq };
    this.wake();
    return seq;
  }

  /** Gives the number of the close. */
  markClosed(): number {
    this.#closedSeq = this.#take();
    this.wake();
    return this.#closedSeq;
  }

  /** What is retained after `afterSeq`: at least one chunk if there is any, then as many as `maxBytes` allow. */
  read(afterSeq: number, maxBytes: number): LogPage {
    const records: OutputRecord[] = [];
    let size = 0;
    let at = this.#indexAfter(afterSeq);
    for (; at < this.#records.length && (records.length === 0 || size < maxBytes); at += 1) {
      const record = this.#records[at] as OutputRecord;
      if (records.length > 0 && size + record.bytes.byteLength > maxBytes) break;
      records.push(record);
      size += record.bytes.byteLength;
    }
    return {
      records,
      isCut: at < this.#records.length,
      nextOutputSeq: this.#nextOutputSeq,
      nextSeq: this.#nextSeq,
      exited: this.#exited,
      closedSeq: this.#closedSeq,
      firstSeq: this.#records[this.#head]?.seq ?? this.#nextSeq,
      droppedBytes: this.#droppedBytes,
    };
  }

  /** Settles at the next append, exit, close or {@link wake}. */
  news(): Promise<void> {
    if (this.#news === undefined) {
      let resolve: () => void = () => {};
      const promise = new Promise<void>((settle) => {
        resolve = settle;
      });
      this.#news = { promise, resolve };
    }
    return this.#news.promise;
  }

  /** Lets everybody look who waits for {@link news}. */
  wake(): void {
    this.#news?.resolve();
    this.#news = undefined;
  }

  #take(): number {
    this.#nextSeq += 1;
    return this.#nextSeq - 1;
  }

  #dropOldest(): void {
    const { retainedBytes, retainedChunks } = this.#limits;
    while (
      this.#retainedBytes > retainedBytes ||
      this.#records.length - this.#head > retainedChunks
    ) {
      const { byteLength } = (this.#records[this.#head] as OutputRecord).bytes;
      this.#retainedBytes -= byteLength;
      this.#droppedBytes += byteLength;
      this.#head += 1;
    }
    // Moves the rest down once as many have gone as stay, so that each record is moved once on average.
    if (this.#head * 2 > this.#records.length) {
      this.#records = this.#records.slice(this.#head);
      this.#head = 0;
    }
  }

  /** Index of the first retained record with a larger number; numbers grow, so halving finds it. */
  #indexAfter(seq: number): number {
    let low = this.#head;
    let high = this.#records.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#records[middle] as OutputRecord).seq > seq) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** A small chunk may be a view of a large buffer, which retaining it would keep alive. */
function ownMemory(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength * 2 < bytes.buffer.byteLength ? new Uint8Array(bytes) : bytes;
}
