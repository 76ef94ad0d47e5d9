import type { Socket } from "node:net";
import type { ProcessInput } from "./local-process.ts";
import { inputIsClosed } from "./terminal-writer.ts";

/** The input of a process that was started without one. */
export const noInput: ProcessInput = {
  write: () => Promise.reject(inputIsClosed()),
  end: () => Promise.resolve(),
  destroy: () => {},
};

/** The writing end of a program's stdin; takes `socket` over. */
export class PipeInput implements ProcessInput {
  readonly #socket: Socket;
  #ended: Promise<void> | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("error", () => {}); // EPIPE is told to the write it hit
  }

  write(bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error);
      if (this.#ended !== undefined || this.#socket.destroyed) return reject(inputIsClosed());
      const onAbort = (): void => reject(signal?.reason as Error);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#socket.write(bytes, (error) => {
        signal?.removeEventListener("abort", onAbort);
        if (error instanceof Error) reject(inputIsClosed(error));
        else resolve();
      });
    });
  }

  /** After everything written before; settles when the descriptor is closed. */
  end(): Promise<void> {
    this.#ended ??= new Promise((resolve) => {
      if (this.#socket.closed) return resolve();
      this.#socket.once("close", () => resolve());
      this.#socket.end(() => this.#socket.destroy());
    });
    return this.#ended;
  }

  destroy(): void {
    this.#socket.destroy();
  }
}
