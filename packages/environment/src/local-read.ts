import { closeSync, constants, fstatSync, openSync, read, readSync, type Stats } from "node:fs";
import { promisify } from "node:util";
import type { AbsolutePath } from "@codex/protocol";
import { FileSystemError } from "./file-system-error.ts";
import { osError } from "./os-error.ts";

/** The largest file that is read or range that is answered whole: 512 MiB, the number of the original's server. */
export const maxReadBytes = 512 * 1024 * 1024;

/** How much of what tells no size (a device, a file of `/proc`) is read before it counts as endless. */
const maxUnsizedBytes = 16 * 1024 * 1024;

/** Reads up to here are done in place: the thread pool's round trip would cost more than the read. */
const inPlaceBytes = 256 * 1024;
const pieceBytes = 8 * 1024 * 1024;

const readAsync = promisify(read);

/** The bytes of `path` from `offset`, at most `length` of them; all of them when `length` is left out. */
export async function readBytes(
  path: AbsolutePath,
  range: { readonly offset: number; readonly length?: number },
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  // Without O_NONBLOCK opening a FIFO that nobody writes to would never return.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) throw osError("EISDIR", path);
    const limit = limitOf(stats, range);
    if (Number.isFinite(limit) && limit > maxReadBytes) throw tooLarge(path, maxReadBytes);
    const position = stats.isFile() ? range.offset : null;
    return await readUpTo(descriptor, { path, position, limit, signal });
  } finally {
    closeSync(descriptor);
  }
}

/** How much there is to read. Files of `/proc` and devices say 0 and hold more: only reading tells. */
function limitOf(stats: Stats, { offset, length }: { offset: number; length?: number }): number {
  const known = stats.isFile() && stats.size > 0;
  const asked = length ?? Number.POSITIVE_INFINITY;
  return known ? Math.min(asked, Math.max(stats.size - offset, 0)) : asked;
}

interface Reading {
  readonly path: AbsolutePath;
  /** Null where the file cannot be read at a position. */
  readonly position: number | null;
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
}

async function readUpTo(descriptor: number, reading: Reading): Promise<Uint8Array> {
  const { path, position, limit, signal } = reading;
  let bytes = allocate(Number.isFinite(limit) ? Math.min(limit, maxReadBytes) : inPlaceBytes);
  let filled = 0;
  while (filled < limit) {
    if (filled === bytes.length) {
      if (filled >= maxUnsizedBytes) throw tooLarge(path, maxUnsizedBytes);
      bytes = enlarge(bytes);
    }
    const length = Math.min(bytes.length - filled, pieceBytes);
    const at = position === null ? null : position + filled;
    const count =
      bytes.length <= inPlaceBytes
        ? readSync(descriptor, bytes, filled, length, at)
        : (await readAsync(descriptor, bytes, filled, length, at)).bytesRead;
    signal?.throwIfAborted();
    if (count === 0) break;
    filled += count;
  }
  return filled === bytes.length ? bytes : bytes.slice(0, filled);
}

/** Memory of its own, not zeroed: only what was read is handed out. */
function allocate(length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer, 0, length);
}

function enlarge(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = allocate(bytes.length * 2);
  larger.set(bytes);
  return larger;
}

function tooLarge(path: AbsolutePath, limit: number): FileSystemError {
  const message = `file is too large to read: limit is ${limit} bytes`;
  return new FileSystemError("tooLarge", path, message);
}
