import type { ServerLimits } from "./limits.ts";
import type { OutputRecord, ProcessOutcome } from "./output-log.ts";
import type { ProcessListener } from "./served-process.ts";

/**
 * Tells whoever is connected about a session's processes. What nobody was told stays in the log, to be read; a process
 * is held back before that would lose some of it: when half of what is retained was printed while nobody was
 * connected, or has not been acknowledged by a client that acknowledges.
 */
export class SessionOutput implements ProcessListener {
  readonly #limits: ServerLimits;
  readonly #unread = new Map<string, Unread>();
  #connected: ProcessListener | undefined;
  #isAcknowledging = false;
  #hasEnded = false;
  #waiting: (() => void)[] = [];

  constructor(limits: ServerLimits) {
    this.#limits = limits;
  }

  /** From here on `listener` is told. Without acknowledgements what it was told counts as read. */
  attach(listener: ProcessListener, isAcknowledging: boolean): void {
    this.#connected = listener;
    this.#isAcknowledging = isAcknowledging;
    if (!isAcknowledging) for (const unread of this.#unread.values()) unread.clear();
    this.#wake();
  }

  detach(): void {
    this.#connected = undefined;
  }

  /** Everything of the process up to this number has arrived. */
  acknowledge(processId: string, seq: number): void {
    this.#unread.get(processId)?.readUpTo(seq);
    this.#wake();
  }

  /** Holds nobody back any more. */
  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  async output(processId: string, record: OutputRecord): Promise<void> {
    const unread = this.#unreadOf(processId);
    unread.add(record);
    const told = this.#connected?.output(processId, record).then(
      () => true,
      () => false,
    );
    if ((await told) === true && !this.#isAcknowledging) unread.clear();
    while (unread.isTooMuch && !this.#hasEnded)
      await new Promise<void>((wake) => this.#waiting.push(wake));
  }

  async exited(processId: string, outcome: ProcessOutcome, seq: number): Promise<void> {
    await this.#connected?.exited(processId, outcome, seq);
  }

  async closed(processId: string, seq: number): Promise<void> {
    this.#unread.delete(processId);
    await this.#connected?.closed(processId, seq);
  }

  #unreadOf(processId: string): Unread {
    const known = this.#unread.get(processId);
    if (known !== undefined) return known;
    const unread = new Unread(this.#limits);
    this.#unread.set(processId, unread);
    return unread;
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

/** Chunks of one process that nobody is known to have. */
class Unread {
  readonly #maxBytes: number;
  readonly #maxChunks: number;
  #chunks: { readonly seq: number; readonly size: number }[] = [];
  #head = 0;
  #bytes = 0;

  constructor({ retainedBytes, retainedChunks }: ServerLimits) {
    this.#maxBytes = retainedBytes / 2;
    this.#maxChunks = retainedChunks / 2;
  }

  get isTooMuch(): boolean {
    return this.#bytes >= this.#maxBytes || this.#chunks.length - this.#head >= this.#maxChunks;
  }

  add({ seq, bytes }: OutputRecord): void {
    this.#chunks.push({ seq, size: bytes.byteLength });
    this.#bytes += bytes.byteLength;
  }

  readUpTo(seq: number): void {
    for (let first = this.#chunks[this.#head]; first !== undefined && first.seq <= seq;) {
      this.#bytes -= first.size;
      this.#head += 1;
      first = this.#chunks[this.#head];
    }
    if (this.#head * 2 <= this.#chunks.length) return;
    this.#chunks = this.#chunks.slice(this.#head);
    this.#head = 0;
  }

  clear(): void {
    this.#chunks = [];
    this.#head = 0;
    this.#bytes = 0;
  }
}
