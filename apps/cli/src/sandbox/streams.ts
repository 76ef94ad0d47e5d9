import { once } from "node:events";
import type { OutputChunk, SpawnedProcess, TerminalSize } from "@codex/environment";
import type { ProcessContext } from "../process-context.ts";

/** This process's streams as a command's. Disposing gives a terminal back as it was. */
export interface Streams extends Disposable {
  readonly hasInput: boolean;
  /** Undefined unless both ends of a conversation are a terminal. */
  terminalSize(): TerminalSize | undefined;
  /** Calls `listener` with every new size until the returned function is called. */
  onResize(listener: (size: TerminalSize) => void): () => void;
  /** Hands on what is typed or piped in, and its end. Never rejects. */
  feed(process: SpawnedProcess): Promise<void>;
  /** Settles when more may be written. */
  write(chunk: OutputChunk): Promise<void>;
}

/** A terminal is set to hand over every key as it is: what ^C does is then the command's own terminal's business. */
export function openStreams({ stdin, stdout }: ProcessContext): Streams {
  const isTerminal = stdin.kind === "terminal" && stdout.isTerminal;
  if (isTerminal) process.stdin.setRawMode(true);
  const terminalSize = (): TerminalSize | undefined =>
    isTerminal ? { rows: process.stdout.rows, columns: process.stdout.columns } : undefined;
  return {
    hasInput: stdin.kind !== "none",
    terminalSize,
    onResize(listener) {
      const tell = (): void => {
        const size = terminalSize();
        if (size !== undefined) listener(size);
      };
      process.stdout.on("resize", tell);
      return () => process.stdout.off("resize", tell);
    },
    async feed(target) {
      if (stdin.kind === "none") return;
      try {
        for await (const bytes of stdin.chunks()) await target.write(bytes);
        if (!isTerminal) await target.closeStdin();
      } catch {
        // The command has ended, or reads no more.
      }
    },
    async write({ stream, bytes }) {
      const output = stream === "stderr" ? process.stderr : process.stdout;
      if (!output.write(bytes) && !output.destroyed)
        await Promise.race([once(output, "drain"), once(output, "close")]);
    },
    [Symbol.dispose]() {
      if (isTerminal) process.stdin.setRawMode(false);
    },
  };
}
