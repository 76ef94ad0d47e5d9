import { readSync } from "node:fs";
import type { OnReadOpts, SocketConstructorOpts } from "node:net";
import { ReadStream } from "node:tty";
import { type OutputQueue, type OutputSource, ownCopy, readBuffer } from "./output-queue.ts";
import { rememberMaster } from "./terminal-masters.ts";

/**
 * Reads a terminal's master into `queue` until every slave is closed; takes `master` over and calls `onClose` before
 * its number can be used again.
 *
 * libuv reads 4 KiB at most and, up to 1.46, takes a hang-up after a short read for the end although the kernel holds
 * more (libuv issue 4992). So each read goes on by itself until the terminal is empty or the chunk is full, and "end"
 * means: read what is left.
 */
export function readTerminal(master: number, queue: OutputQueue, onClose: () => void): void {
  const forgetMaster = rememberMaster(master);
  const buffer = readBuffer;
  const options: SocketConstructorOpts & { readonly onread: OnReadOpts } = {
    onread: {
      buffer,
      callback: (length) => queue.push("pty", ownCopy(buffer, fill(master, buffer, length))),
    },
  };
  const stream = new ReadStream(master, options);
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
