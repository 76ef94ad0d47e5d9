/** Bounds of a read from standard input. */
export interface InputLimits {
  /** How long to wait for the first byte; undefined: for ever. */
  readonly firstByteMs: number | undefined;
  /** How long a pipe that has begun may be silent; undefined: for ever. */
  readonly silenceMs: number | undefined;
  readonly maxBytes: number;
}

export type InputEnd = "end" | "nothingCame" | "silent" | "tooLong";

export interface InputRead {
  readonly bytes: Uint8Array;
  /** Why reading stopped; only at `end` is it known that there is no more. */
  readonly stoppedBy: InputEnd;
}

/** Reads `chunks` to its end or to the first limit. Aborting rejects with the signal's reason. */
export async function readInput(
  chunks: AsyncIterable<Uint8Array>,
  limits: InputLimits,
  signal: AbortSignal,
): Promise<InputRead> {
  const iterator = chunks[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  let length = 0;
  const done = (stoppedBy: InputEnd): InputRead => ({
    bytes: Buffer.concat(parts).subarray(0, limits.maxBytes),
    stoppedBy,
  });
  for (;;) {
    const patienceMs = length === 0 ? limits.firstByteMs : limits.silenceMs;
    const next = await withPatience(iterator.next(), patienceMs, signal);
    if (next === "late") return done(length === 0 ? "nothingCame" : "silent");
    if (next.done === true) return done("end");
    parts.push(next.value);
    length += next.value.byteLength;
    if (length > limits.maxBytes) return done("tooLong");
  }
}

async function withPatience<T>(
  wait: Promise<T>,
  patienceMs: number | undefined,
  signal: AbortSignal,
): Promise<T | "late"> {
  signal.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => {};
  const ended = new Promise<"late">((resolve, reject) => {
    if (patienceMs !== undefined) timer = setTimeout(() => resolve("late"), patienceMs);
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([wait, ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    wait.catch(() => {});
  }
}
