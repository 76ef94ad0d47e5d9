import type { ServedProcess } from "./served-process.ts";

/** How many writes of a process are remembered; from the original. */
const rememberedWrites = 4_096;

/** Remembers writes by the name the client gave them, so that one that is sent again is not done again. */
export class WriteMemory {
  readonly #writes = new WeakMap<ServedProcess, Map<string, Promise<void>>>();

  /** The outcome of the write of this name, if it is remembered. */
  recall(process: ServedProcess, writeId: string): Promise<void> | undefined {
    return this.#writes.get(process)?.get(writeId);
  }

  /** Writes, and remembers from the same moment on. */
  write(process: ServedProcess, writeId: string, bytes: Uint8Array): Promise<void> {
    const written = process.write(bytes);
    written.catch(() => undefined);
    const known = this.#writes.get(process) ?? new Map<string, Promise<void>>();
    this.#writes.set(process, known);
    known.set(writeId, written);
    if (known.size > rememberedWrites)
      for (const oldest of known.keys()) {
        known.delete(oldest);
        break;
      }
    return written;
  }
}
