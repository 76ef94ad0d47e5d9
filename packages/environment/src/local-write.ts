import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  write,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import type { AbsolutePath } from "@codex/protocol";
import { hasCode, osError } from "./os-error.ts";
import { realTarget } from "./real-path.ts";
import type { GuardedPath, WriteGuard } from "./write-guard.ts";

/** Writes up to here are done in place: the thread pool's round trip would cost more than the write. */
const inPlaceBytes = 256 * 1024;

// O_NONBLOCK: opening a FIFO that nobody reads fails instead of never returning.
const openForWriting = constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK;

const writeAsync = promisify(write);

export interface LocalWrite {
  readonly mode: number | undefined;
  readonly atomic: boolean;
  readonly guard: WriteGuard;
}

/** Writes the whole file; a link is followed and kept. */
export async function writeBytes(
  path: AbsolutePath,
  bytes: Uint8Array,
  { mode, atomic, guard }: LocalWrite,
): Promise<void> {
  using guarded = guard(atomic ? realTarget(path) : path, "content");
  const existing = atomic ? statExisting(guarded.path) : undefined;
  if (existing?.isDirectory()) throw osError("EISDIR", path);
  // Only a regular file can be replaced by renaming; a device or FIFO is written to.
  if (!atomic || (existing !== undefined && !existing.isFile()))
    return await writeInPlace(guarded, bytes, mode);
  if (existing !== undefined) accessSync(guarded.path, constants.W_OK);
  await writeAndRename(guarded, bytes, { mode, existing });
}

async function writeInPlace(
  { path, isGuarded }: GuardedPath,
  bytes: Uint8Array,
  mode: number | undefined,
): Promise<void> {
  const noLinks = isGuarded ? constants.O_NOFOLLOW : 0;
  const descriptor = openSync(path, openForWriting | constants.O_TRUNC | noLinks);
  try {
    if (mode !== undefined) fchmodSync(descriptor, mode);
    await writeAll(descriptor, bytes);
  } finally {
    closeSync(descriptor);
  }
}

async function writeAndRename(
  { path }: GuardedPath,
  bytes: Uint8Array,
  { mode, existing }: { mode: number | undefined; existing: Stats | undefined },
): Promise<void> {
  const beside = `${dirname(path)}/.${crypto.randomUUID()}.tmp`;
  const descriptor = openSync(beside, openForWriting | constants.O_EXCL);
  try {
    try {
      if (existing !== undefined) keepOwner(descriptor, existing);
      const bits = mode ?? (existing && existing.mode & 0o7777);
      if (bits !== undefined) fchmodSync(descriptor, bits);
      await writeAll(descriptor, bytes);
    } finally {
      closeSync(descriptor);
    }
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

async function writeAll(descriptor: number, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const length = bytes.length - written;
    written +=
      length <= inPlaceBytes
        ? writeSync(descriptor, bytes, written, length)
        : (await writeAsync(descriptor, bytes, written, length)).bytesWritten;
  }
}

/** Gives the new file the old one's owner, where this user may. */
function keepOwner(descriptor: number, { uid, gid }: Stats): void {
  try {
    fchownSync(descriptor, uid, gid);
  } catch (error) {
    if (!hasCode(error, "EPERM")) throw error;
  }
}

function statExisting(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
