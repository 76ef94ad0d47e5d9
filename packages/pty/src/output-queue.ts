import type { OutputChunk, OutputStream } from "./process.ts";

/** The largest chunk a process hands out. */
export const maxChunkBytes = 64 * 1024;

/**
 * Where every reader lets the system put bytes before it takes its own copy in the same breath. One for all: a buffer of
 * its own for each stream would be most of what an idle process costs.
 */
export const readBuffer: Buffer = Buffer.allocUnsafeSlow(maxChunkBytes);

/** While output flows, what comes within this time of the last chunk is joined, up to about this size. */
const flowMs = 1;
const flowBytes = 48 * 1024;

const highWaterBytes = maxChunkBytes;
const highWaterChunks = 256;

/** Where a queue's bytes come from: one per descriptor. */
export interface OutputSource {
  /** Read on after the queue was full. Nothing happens when it is reading or has ended. */
  resume(): void;
  /** Closes the descriptor; no byte comes after it. */
  destroy(): void;
}

/**
 * Output between its descriptors and its one consumer. What nobody has pulled yet is bounded: at 64 KiB the sources
 * stop reading, and the program feels it. A waiting consumer gets the first byte after a pause at once; what piles up
 * meanwhile, and what keeps flowing, comes in large chunks: a program writes in blocks of 4 or 8 KiB, and each chunk has
 * a price all the way to its reader.
 */
export class OutputQueue implements AsyncIterable<OutputChunk> {
  /** Settles when every source has ended and the last chunk has been taken or dropped. Never rejects. */
  readonly drained: Promise<void>;
  #settleDrained: () => void = () => {};
  #sources = new Set<OutputSource>();
  #chunks: OutputChunk[] = [];
  #bytes = 0;
  #isStopped = false;
  #isDropping = false;
  #isIterated = false;
  #waiting: ((result: IteratorResult<OutputChunk>) => void) | undefined;
  #flowsUntil = 0;
  #flowTimer: NodeJS.Timeout | undefined;

  constructor() {
    this.drained = new Promise((resolve) => {
      this.#settleDrained = resolve;
    });
  }

  addSource(source: OutputSource): void {
    this.#sources.add(source);
  }

  /** Takes `bytes` over. False means: stop reading until `resume` is called. */
  push(stream: OutputStream, bytes: Uint8Array): boolean {
    if (this.#isDropping) return true;
    this.#chunks.push({ stream, bytes });
    this.#bytes += bytes.length;
    if (this.#waiting !== undefined) this.#deliverSoon(this.#waiting);
    this.#isStopped = this.#isFull();
    return !this.#isStopped;
  }

  /** To be called once per source, after its last byte. */
  sourceEnded(source: OutputSource): void {
    if (this.#sources.delete(source)) this.#endWhenEmpty();
  }

  /** Drops what is here and what still comes; the sources are read to their end. */
  discard(): void {
    this.#isDropping = true;
    this.#chunks = [];
    this.#bytes = 0;
    this.#resumeSources();
    this.#endWhenEmpty();
  }

  /** Drops everything and closes the sources now. */
  destroy(): void {
    this.discard();
    for (const source of this.#sources) {
      source.destroy();
      this.sourceEnded(source);
    }
  }

  /** Throws a `TypeError` the second time: output has one consumer. */
  [Symbol.asyncIterator](): AsyncIterator<OutputChunk> {
    if (this.#isIterated) throw new TypeError("the output of a process has one consumer");
    this.#isIterated = true;
    return {
      next: () => this.#next(),
      return: () => {
        this.discard();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  /** Now, or when the flow has brought more. */
  #deliverSoon(deliver: (result: IteratorResult<OutputChunk>) => void): void {
    if (this.#bytes < flowBytes && performance.now() < this.#flowsUntil) {
      this.#flowTimer ??= setTimeout(() => this.#deliver(deliver), flowMs);
      return;
    }
    this.#deliver(deliver);
  }

  #deliver(deliver: (result: IteratorResult<OutputChunk>) => void): void {
    clearTimeout(this.#flowTimer);
    this.#flowTimer = undefined;
    const chunk = this.#take();
    if (chunk === undefined) return; // dropped meanwhile
    this.#waiting = undefined;
    deliver({ done: false, value: chunk });
  }

  #next(): Promise<IteratorResult<OutputChunk>> {
    const chunk = this.#take();
    if (chunk !== undefined) {
      this.#endWhenEmpty();
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.#isDropping || this.#sources.size === 0)
      return Promise.resolve({ done: true, value: undefined });
    if (this.#waiting !== undefined)
      return Promise.reject(new TypeError("the output of a process is pulled one chunk at a time"));
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  #take(): OutputChunk | undefined {
    const [first] = this.#chunks;
    if (first === undefined) return undefined;
    const chunk = this.#takeRun(first);
    this.#flowsUntil = performance.now() + flowMs;
    if (this.#isStopped && !this.#isFull()) this.#resumeSources();
    return chunk;
  }

  /** The longest run of one stream at the front that fits a chunk. */
  #takeRun(first: OutputChunk): OutputChunk {
    let count = 0;
    let length = 0;
    for (const { stream, bytes } of this.#chunks) {
      if (stream !== first.stream || length + bytes.length > maxChunkBytes) break;
      count += 1;
      length += bytes.length;
    }
    const run = this.#chunks.splice(0, count);
    this.#bytes -= length;
    return run.length === 1 ? first : { stream: first.stream, bytes: joined(run, length) };
  }

  #isFull(): boolean {
    return this.#bytes >= highWaterBytes || this.#chunks.length >= highWaterChunks;
  }

  #resumeSources(): void {
    this.#isStopped = false;
    for (const source of this.#sources) source.resume();
  }

  #endWhenEmpty(): void {
    if (this.#sources.size > 0) return;
    if (this.#waiting !== undefined) this.#deliver(this.#waiting);
    if (this.#chunks.length > 0) return;
    this.#settleDrained();
    this.#waiting?.({ done: true, value: undefined });
    this.#waiting = undefined;
  }
}

/** A copy of the first `length` bytes in memory of its own. */
export function ownCopy(buffer: Uint8Array, length: number): Uint8Array {
  const copy = Buffer.allocUnsafeSlow(length);
  copy.set(buffer.subarray(0, length));
  return copy;
}

function joined(run: readonly OutputChunk[], length: number): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const chunk of run) {
    bytes.set(chunk.bytes, at);
    at += chunk.bytes.length;
  }
  return bytes;
}
