import { once } from "node:events";
import { closeSync, constants, mkdtempSync, openSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { spawnChild } from "./child.ts";
import { inFirstFolder } from "./first-folder.ts";
import { lookUpProgram } from "./program-lookup.ts";

/** Pipes in the first batch, so that the first start is soon; each one after it has twice as many. */
const firstBatchSize = 16;
/** Idle pipes cost two descriptors each. */
const largestBatchSize = 128;
/** A new batch is begun while this many are left, so that hardly a start waits for one. */
const lowWater = 6;

/** Both ends of a real pipe, close-on-exec; whoever took it closes both. */
export interface Pipe {
  readonly read: number;
  readonly write: number;
}

/**
 * Real pipes. What Node calls pipes are sockets, on which `echo x > /dev/stderr` and `cat /dev/stdin` fail with ENXIO
 * in the child. These are FIFOs made in batches by one `mkfifo` in a private folder and opened and unlinked at once:
 * nothing stays there. The first of `directories` that can hold the folder does; one in memory spares every start four
 * changes of a disk. Where that cannot be done, `take` gives undefined and the caller lets Node make sockets.
 * The first `take` makes the first batch; disposing closes what is left.
 */
export class PipePool implements Disposable {
  readonly #directories: readonly string[];
  readonly #path: string | undefined;
  #batchSize = firstBatchSize;
  #ready: Pipe[] = [];
  #batch: Promise<boolean> | undefined;
  #isDisposed = false;

  constructor(options: { directories: readonly string[]; path: string | undefined }) {
    this.#directories = options.directories;
    this.#path = options.path;
  }

  async take(): Promise<Pipe | undefined> {
    while (this.#ready.length === 0) {
      if (this.#isDisposed || !(await this.#refill())) return undefined;
    }
    const pipe = this.#ready.pop();
    if (this.#ready.length < lowWater) void this.#refill();
    return pipe;
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    for (const pipe of this.#ready.splice(0)) closePipe(pipe);
  }

  #refill(): Promise<boolean> {
    this.#batch ??= this.#makePipes().then(
      (pipes) => {
        this.#batch = undefined;
        this.#batchSize = Math.min(this.#batchSize * 2, largestBatchSize);
        this.#ready.push(...pipes);
        if (this.#isDisposed) this[Symbol.dispose]();
        return pipes.length > 0;
      },
      () => false, // and no second try: `#batch` stays
    );
    return this.#batch;
  }

  async #makePipes(): Promise<Pipe[]> {
    const file = lookUpProgram("mkfifo", "/", this.#path);
    const folder = inFirstFolder(
      this.#directories,
      (directory) => mkdtempSync(join(directory, "codex-pipes-")), // mode 0700
    );
    const names = Array.from({ length: this.#batchSize }, (_, index) => join(folder, `${index}`));
    try {
      const child = await spawnChild({
        file,
        args: ["-m", "600", ...names],
        cwd: "/",
        env: {},
        ownSession: true,
        stdio: ["ignore", "ignore", "ignore"],
      });
      await once(child, "exit");
      return openAll(names);
    } finally {
      rmdirSync(folder);
    }
  }
}

export function closePipe(pipe: Pipe): void {
  closeSync(pipe.read);
  closeSync(pipe.write);
}

function openAll(names: readonly string[]): Pipe[] {
  const pipes: Pipe[] = [];
  for (const name of names) {
    try {
      pipes.push(openBothEnds(name));
    } catch {
      // not made, or out of descriptors: the others do
    }
    unlinkSync(name);
  }
  return pipes;
}

/** With a descriptor open for both, neither end waits for the other, and none is left in non-blocking mode for a child. */
function openBothEnds(name: string): Pipe {
  const both = openSync(name, constants.O_RDWR);
  try {
    const read = openSync(name, constants.O_RDONLY);
    try {
      return { read, write: openSync(name, constants.O_WRONLY) };
    } catch (error) {
      closeSync(read);
      throw error;
    }
  } finally {
    closeSync(both);
  }
}
