import { type OnReadOpts, Socket, type SocketConstructorOpts } from "node:net";
import { type OutputQueue, type OutputSource, ownCopy, readBuffer } from "./output-queue.ts";
import type { OutputStream } from "./process.ts";

/** Reads a pipe into `queue` until all who could write to it have closed it; takes `descriptor` over. */
export function readPipe(descriptor: number, stream: OutputStream, queue: OutputQueue): void {
  const options: SocketConstructorOpts & { readonly onread: OnReadOpts } = {
    fd: descriptor,
    readable: true,
    writable: false,
    onread: {
      buffer: readBuffer,
      callback: (length) => queue.push(stream, ownCopy(readBuffer, length)),
    },
  };
  const socket = new Socket(options);
  addSocket(socket, queue);
}

/** As {@link readPipe}, for a socket that Node made for a child. */
export function readSocket(socket: Socket, stream: OutputStream, queue: OutputQueue): void {
  socket.on("data", (bytes: Buffer) => {
    if (!queue.push(stream, ownCopy(bytes, bytes.length))) socket.pause();
  });
  addSocket(socket, queue);
}

function addSocket(socket: Socket, queue: OutputQueue): void {
  const source: OutputSource = {
    resume: () => socket.resume(),
    destroy: () => socket.destroy(),
  };
  queue.addSource(source);
  socket.on("error", () => {}); // "close" follows
  socket.once("end", () => socket.destroy());
  socket.once("close", () => queue.sourceEnded(source));
  socket.resume();
}
