import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

/** Kinds of lines; a line is `{ timestamp, type, payload }`, the timestamp UTC with milliseconds. */
export type RolloutLineType =
  | "session_meta" // first line: thread id, cwd, model, who wrote it
  | "turn_context" // settings of a turn
  | "response_item" // an item of the conversation, as it is sent
  | "tool_output" // an output the moment it was there, before its place in the conversation was known
  | "compacted" // a summary that replaced the conversation before it
  | "event_msg"; // something that happened: turns, completed items, token counts

/**
 * A thread's memory on disk, one JSON object a line. A line is in the file when `write` returns, so whoever sees an
 * event finds it there even after kill -9. Files are 0600 in folders 0700.
 */
export interface RolloutWriter extends Disposable {
  /** Absolute path; undefined when nothing is kept. */
  readonly path: string | undefined;
  write(type: RolloutLineType, payload: unknown): void;
}

/** `<home>/sessions/YYYY/MM/DD/rollout-YYYY-MM-DDTHH-MM-SS-<thread id>.jsonl`, in local time. */
export function rolloutPath(codexHome: string, threadId: string, startedAt: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const [year, month, day] = [
    String(startedAt.getFullYear()),
    two(startedAt.getMonth() + 1),
    two(startedAt.getDate()),
  ];
  const time = [startedAt.getHours(), startedAt.getMinutes(), startedAt.getSeconds()]
    .map(two)
    .join("-");
  return join(
    codexHome,
    "sessions",
    year,
    month,
    day,
    `rollout-${year}-${month}-${day}T${time}-${threadId}.jsonl`,
  );
}

/**
 * Opens `path` for appending, made with its folders at the first write: a thread without a turn leaves no file.
 * `startsOnNewLine`: the file ends in the middle of a line, which is left alone.
 */
export function openRollout(
  path: string,
  now: () => Date,
  options: { readonly startsOnNewLine?: boolean } = {},
): RolloutWriter {
  let descriptor: number | undefined;
  const open = (): number => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const opened = openSync(path, "a", 0o600);
    if (options.startsOnNewLine) writeWhole(opened, Buffer.from("\n"));
    return opened;
  };
  return {
    path,
    write(type, payload) {
      descriptor ??= open();
      writeWhole(
        descriptor,
        Buffer.from(`${JSON.stringify({ timestamp: now().toISOString(), type, payload })}\n`),
      );
    },
    [Symbol.dispose]() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

/** Keeps nothing. */
export const noRollout: RolloutWriter = {
  path: undefined,
  write: () => {},
  [Symbol.dispose]: () => {},
};

function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
}
