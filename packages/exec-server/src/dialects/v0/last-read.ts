import type { AbsolutePath } from "@codex/protocol";

/**
 * The last whole file that was read for a part of it. v0 gives files whole only: a reader that goes on block by block
 * gets the rest from the read it began with, which is one read in all and one state of the file. Any call
 * but the one for the next block forgets it.
 */
export class LastRead {
  #path: AbsolutePath | undefined;
  #next = 0;
  #start = 0;
  #size = 0;
  /** Weak: the bytes live while the reader still holds its last block. Gone early, they are read again. */
  #buffer: WeakRef<ArrayBufferLike> | undefined;

  /** The whole file, if `offset` is where the last block given of it ended. */
  take(path: AbsolutePath, offset: number): Uint8Array | undefined {
    if (offset === 0 || path !== this.#path || offset !== this.#next) return undefined;
    const buffer = this.#buffer?.deref();
    return buffer && new Uint8Array(buffer, this.#start, this.#size);
  }

  forget(): void {
    this.#buffer = undefined;
  }

  /** What was read, and where its next block begins. */
  keep(path: AbsolutePath, bytes: Uint8Array, next: number): void {
    this.#path = path;
    this.#next = next;
    this.#start = bytes.byteOffset;
    this.#size = bytes.length;
    this.#buffer = next < bytes.length ? new WeakRef(bytes.buffer) : undefined;
  }
}
