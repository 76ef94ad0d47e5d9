import type { WriteStream } from "node:tty";

/** stdout or stderr. A reader that has gone away is no error: what is written from then on is dropped. */
export interface StandardOutput {
  readonly isTerminal: boolean;
  /** Width of the terminal; 80 when it is none. */
  readonly columns: () => number;
  write(text: string): void;
  /** Settles when everything written so far has been handed over or nobody takes it any more. */
  flushed(): Promise<void>;
}

export function standardOutput(stream: WriteStream): StandardOutput {
  let isClosed = false;
  stream.on("error", () => {
    isClosed = true;
  });
  return {
    isTerminal: stream.isTTY === true,
    columns: () => stream.columns ?? 80,
    write(text) {
      if (!isClosed) stream.write(text);
    },
    async flushed() {
      if (isClosed) return;
      await new Promise<void>((resolve) => {
        stream.once("error", () => resolve());
        stream.write("", () => resolve());
      });
    },
  };
}
