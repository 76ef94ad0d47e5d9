import { closeSync, openSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/** An empty file that has no name any more, open twice; whoever made it closes both. */
export interface AnonymousFile {
  readonly read: number;
  readonly write: number;
}

/** Throws the system's error when `directory` cannot be written. */
export function openAnonymousFile(directory: string): AnonymousFile {
  const path = join(directory, `codex-${crypto.randomUUID()}`);
  const write = openSync(path, "wx", 0o600);
  try {
    return { read: openSync(path, "r"), write };
  } catch (error) {
    closeSync(write);
    throw error;
  } finally {
    unlinkSync(path);
  }
}
