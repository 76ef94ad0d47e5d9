import { fstatSync, type Stats } from "node:fs";
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
  let stats: Stats;
  try {
    stats = fstatSync(descriptor);
  } catch {
    return "none";
  }
  if (stats.isFile()) return "file";
  return stats.isFIFO() || stats.isSocket() ? "pipe" : "none";
}
