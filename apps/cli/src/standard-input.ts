import { type BigIntStats, fstatSync } from "node:fs";
import { isatty } from "node:tty";

/** What descriptor 0 is. `none`: closed, a null device, or anything else that holds no text. */
export type StandardInputKind = "terminal" | "file" | "pipe" | "none";

export interface StandardInput {
  readonly kind: StandardInputKind;
  /** Opened on first use; never for `none`. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

export function standardInput(): StandardInput {
  return { kind: kindOfDescriptor(0), chunks: () => process.stdin };
}

function kindOfDescriptor(descriptor: number): StandardInputKind {
  if (isatty(descriptor)) return "terminal";
  let stats: BigIntStats;
  try {
    // Not as plain numbers: Node 20 keeps those in one place, and `realpath` reads there that what it looks at is a pipe.
    stats = fstatSync(descriptor, { bigint: true });
  } catch {
    return "none";
  }
  if (stats.isFile()) return "file";
  return stats.isFIFO() || stats.isSocket() ? "pipe" : "none";
}
