import { closeSync, writeSync } from "node:fs";
import { type AnonymousFile, openAnonymousFile } from "./anonymous-file.ts";
import { inFirstFolder } from "./first-folder.ts";

/** A process number, blanks, a line end. */
const lineBytes = 11;

/**
 * Numbers of process groups in a file without a name, a line each; a line that is free again is blank. A change is
 * there when the call returns, whatever becomes of this process afterwards, and wakes nobody up.
 */
export class GroupList implements Disposable {
  readonly #file: AnonymousFile;
  readonly #lines = new Map<number, number>();
  #free: number[] = [];

  /** In the first of `directories` that can hold the file; throws the system's error when none can. */
  constructor(directories: readonly string[]) {
    this.#file = inFirstFolder(directories, openAnonymousFile);
  }

  /** For reading all of it once. */
  get descriptor(): number {
    return this.#file.read;
  }

  has(group: number): boolean {
    return this.#lines.has(group);
  }

  add(group: number): void {
    if (this.#lines.has(group)) return;
    const line = this.#free.pop() ?? this.#lines.size;
    this.#lines.set(group, line);
    this.#write(line, String(group));
  }

  delete(group: number): void {
    const line = this.#lines.get(group);
    if (line === undefined) return;
    this.#lines.delete(group);
    this.#free.push(line);
    this.#write(line, "");
  }

  [Symbol.dispose](): void {
    closeSync(this.#file.read);
    closeSync(this.#file.write);
  }

  #write(line: number, text: string): void {
    writeSync(this.#file.write, `${text.padEnd(lineBytes - 1)}\n`, line * lineBytes, "latin1");
  }
}
