/** What was kept of a stream of bytes. Nothing lies between `head` and `tail` when `omittedBytes` is 0. */
export interface RetainedOutput {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  /** How many bytes were dropped between the two. */
  readonly omittedBytes: number;
}

/** 1 MiB: the most that is kept of one command's output for the model, and again for its item. */
const retainedOutputBytes = 1024 * 1024;

/**
 * A stream of bytes with its middle cut out: the first half of the capacity (rounded down) and the last half. Memory
 * follows what was pushed and never exceeds the capacity, whatever the size of the chunks.
 */
export class HeadTailBuffer {
  readonly #headCapacity: number;
  readonly #tailCapacity: number;
  #head: ByteRing;
  #tail: ByteRing;
  #omittedBytes = 0;

  constructor(capacity: number = retainedOutputBytes) {
    this.#headCapacity = Math.floor(capacity / 2);
    this.#tailCapacity = capacity - this.#headCapacity;
    this.#head = new ByteRing(this.#headCapacity);
    this.#tail = new ByteRing(this.#tailCapacity);
  }

  get retainedBytes(): number {
    return this.#head.length + this.#tail.length;
  }

  get omittedBytes(): number {
    return this.#omittedBytes;
  }

  /** Copies what it keeps; the caller's bytes are its own again. */
  push(bytes: Uint8Array): void {
    const room = this.#headCapacity - this.#head.length;
    if (room > 0) this.#head.push(bytes.subarray(0, room));
    if (bytes.length > room) this.#omittedBytes += this.#tail.push(bytes.subarray(room));
  }

  /** What is kept now; the buffer starts afresh, its count of omitted bytes too. */
  drain(): RetainedOutput {
    const retained = {
      head: this.#head.giveUp(),
      tail: this.#tail.giveUp(),
      omittedBytes: this.#omittedBytes,
    };
    this.#head = new ByteRing(this.#headCapacity);
    this.#tail = new ByteRing(this.#tailCapacity);
    this.#omittedBytes = 0;
    return retained;
  }
}

/** The last `capacity` bytes of what was pushed, in one array that grows by doubling. */
class ByteRing {
  readonly #capacity: number;
  #storage = new Uint8Array(0);
  #start = 0;
  #length = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get length(): number {
    return this.#length;
  }

  /** Returns how many older bytes had to go. */
  push(bytes: Uint8Array): number {
    const dropped = Math.max(0, this.#length + bytes.length - this.#capacity);
    const kept = bytes.subarray(Math.max(0, bytes.length - this.#capacity));
    const overwritten = Math.max(0, this.#length + kept.length - this.#capacity);
    this.#reserve(this.#length - overwritten + kept.length);
    if (this.#storage.length > 0) this.#start = (this.#start + overwritten) % this.#storage.length;
    this.#length -= overwritten;
    this.#append(kept);
    return dropped;
  }

  /** The bytes, in the ring's own memory when they lie in one piece: the ring is not used again. */
  giveUp(): Uint8Array {
    const end = this.#start + this.#length;
    return end <= this.#storage.length ? this.#storage.subarray(this.#start, end) : this.#copy();
  }

  #reserve(needed: number): void {
    if (needed <= this.#storage.length) return;
    const grown = new Uint8Array(Math.min(this.#capacity, Math.max(needed, needed * 2, 1024)));
    grown.set(this.#copy());
    this.#storage = grown;
    this.#start = 0;
  }

  #append(bytes: Uint8Array): void {
    const end = (this.#start + this.#length) % (this.#storage.length || 1);
    const first = bytes.subarray(0, this.#storage.length - end);
    this.#storage.set(first, end);
    this.#storage.set(bytes.subarray(first.length), 0);
    this.#length += bytes.length;
  }

  #copy(): Uint8Array {
    const bytes = new Uint8Array(this.#length);
    const first = this.#storage.subarray(this.#start, this.#start + this.#length);
    bytes.set(first);
    bytes.set(this.#storage.subarray(0, this.#length - first.length), first.length);
    return bytes;
  }
}
