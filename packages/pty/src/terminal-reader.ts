import { readSync } from "node:fs";
import type { OnReadOpts, SocketConstructorOpts } from "node:net";
import { ReadStream } from "node:tty";
import { type OutputQueue, type OutputSource, ownCopy, readBuffer } from "./output-queue.ts";
import { rememberMaster } from "./terminal-masters.ts";

/** How long a program may live on without its terminal before the terminal is hung up. */
const hangUpGraceMs = 1_000;

export interface MasterOwner {
  /** The program has ended, or was never started. */
  readonly exited: Promise<unknown>;
  /** Called before the number of the master can be used again. */
  readonly onClose: () => void;
}

/**
 * Reads a terminal's master into `queue` until every slave is closed; takes `master` over.
 *
 * libuv reads 4 KiB at most and, up to 1.46, takes a hang-up after a short read for the end although the kernel holds
 * more (libuv issue 4992). So each read goes on by itself until the terminal is empty or the chunk is full, and "end"
 * means: read what is left.
 */
export function readTerminal(master: number, queue: OutputQueue, owner: MasterOwner): void {
  const { exited, onClose } = owner;
  const forgetMaster = rememberMaster(master);
  const buffer = readBuffer;
  const options: SocketConstructorOpts & { readonly onread: OnReadOpts } = {
    onread: {
      buffer,
      callback: (length) => queue.push("pty", ownCopy(buffer, fill(master, buffer, length))),
    },
  };
  const stream = new MasterStream(master, { ...options, exited });
  const close = (): void => {
    if (stream.destroyed) return;
    onClose();
    stream.destroy();
  };
  const source: OutputSource = { resume: () => stream.resume(), destroy: close };
  queue.addSource(source);
  stream.on("error", () => {}); // EIO is a terminal's end; nothing is left then
  stream.prependOnceListener("end", () => {
    for (let length = fill(master, buffer, 0); length > 0; length = fill(master, buffer, 0))
      queue.push("pty", ownCopy(buffer, length));
    close();
  });
  stream.once("close", () => {
    onClose();
    forgetMaster();
    queue.sourceEnded(source);
  });
  stream.resume();
}

/**
 * Closing a master hangs its session up. Many programs close their standard streams as the last thing before they exit
 * (`cat` does), so the end of the output is not yet the end of the program: closed at once, it would die of SIGHUP.
 */
class MasterStream extends ReadStream {
  readonly #exited: Promise<unknown>;

  constructor(
    master: number,
    options: SocketConstructorOpts & { readonly exited: Promise<unknown> },
  ) {
    super(master, options);
    this.#exited = options.exited;
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => (timer = setTimeout(resolve, hangUpGraceMs)));
    void Promise.race([this.#exited, patience]).then(() => {
      clearTimeout(timer);
      super._destroy(error, callback);
    });
  }
}

/** Reads without waiting; gives the length of what is in `buffer` then. */
function fill(master: number, buffer: Buffer, from: number): number {
  let length = from;
  while (length < buffer.length) {
    try {
      const count = readSync(master, buffer, length, buffer.length - length, null);
      if (count === 0) break;
      length += count;
    } catch {
      break; // EAGAIN: empty for now; EIO: for ever
    }
  }
  return length;
}
