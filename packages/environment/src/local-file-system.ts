import {
  type Dirent,
  lstatSync,
  mkdirSync,
  readdir,
  realpathSync,
  renameSync,
  rm,
  rmdirSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { promisify } from "node:util";
import type { AbsolutePath, SandboxIntent } from "@codex/protocol";
import { abortable } from "./abortable.ts";
import { FileSystemError } from "./file-system-error.ts";
import type {
  DirectoryEntry,
  FileCallOptions,
  FileChangeOptions,
  FileMetadata,
  FileSystem,
} from "./file-system.ts";
import { copyEntry, makeDirectories } from "./local-copy.ts";
import { maxReadBytes, readBytes } from "./local-read.ts";
import { writeBytes } from "./local-write.ts";
import { hasCode, toFileSystemError } from "./os-error.ts";
import { walkByListing } from "./walk-by-listing.ts";
import { createWriteGuard, type WriteGuard } from "./write-guard.ts";

export interface LocalFileSystemOptions {
  /** `$TMPDIR` of this machine, made writable by an intent with `includeTmpdir`; left out, that adds nothing. */
  readonly temporaryDirectory?: AbsolutePath;
  /** Upper bound of every change, whatever its own `sandbox` says. */
  readonly sandboxBound?: SandboxIntent;
  /** Named in errors. */
  readonly environment?: string;
}

/**
 * The files of this machine. Calls that are over sooner than a trip through the thread pool (metadata, small reads and
 * writes, renames) are done in place; the others leave the event loop free. FIFOs and devices never block it.
 */
export function createLocalFileSystem(options: LocalFileSystemOptions = {}): FileSystem {
  const { environment, sandboxBound, temporaryDirectory } = options;
  const guardOf = ({ sandbox }: FileChangeOptions = {}): WriteGuard =>
    createWriteGuard([sandbox, sandboxBound], temporaryDirectory);
  const doing = <T>(path: AbsolutePath, call: FileCallOptions | undefined, work: () => T) =>
    answer({ path, environment, signal: call?.signal }, work);

  const readDirectory: FileSystem["readDirectory"] = (path, call) =>
    doing(path, call, () => listDirectory(path));
  return {
    readFile: (path, call) => doing(path, call, () => readBytes(path, { offset: 0 }, call?.signal)),
    readRange: (path, range, call) =>
      doing(path, call, () => readBytes(path, checkRange(path, range), call?.signal)),
    writeFile: (path, bytes, call) =>
      doing(path, call, () => {
        const how = { mode: call?.mode, atomic: call?.atomic ?? false, guard: guardOf(call) };
        return writeBytes(path, bytes, how);
      }),
    createDirectory: (path, call) =>
      doing(path, call, () => createDirectory(path, call?.recursive ?? true, guardOf(call))),
    getMetadata: (path, call) => doing(path, call, () => describePath(path)),
    readDirectory,
    walk: (path, call) => walkByListing({ readDirectory }, path, call),
    canonicalize: (path, call) =>
      doing(path, call, () => realpathSync.native(path) as AbsolutePath),
    rename: (from, to, call) => doing(from, call, () => renameEntry(from, to, guardOf(call))),
    remove: (path, call) =>
      doing(path, call, () => {
        const { recursive = true, force = true } = call ?? {};
        return removeEntry(path, { recursive, force, guard: guardOf(call) });
      }),
    copy: (from, to, call) =>
      doing(from, call, () => {
        const { recursive = false, signal } = call ?? {};
        return copyEntry(from, to, { recursive, signal, guard: guardOf(call) });
      }),
  };
}

interface Asked {
  readonly path: AbsolutePath;
  readonly environment: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Runs one call: an abort rejects with its reason, every other failure is a `FileSystemError`. */
async function answer<T>(asked: Asked, work: () => T): Promise<Awaited<T>> {
  const { path, environment, signal } = asked;
  signal?.throwIfAborted();
  try {
    return await abortable(work(), signal);
  } catch (error) {
    if (signal?.aborted && error === signal.reason) throw error;
    throw toFileSystemError(error, path, environment);
  }
}

function checkRange(path: AbsolutePath, range: { offset: number; length: number }) {
  const { offset, length } = range;
  if (length > maxReadBytes) {
    const message = `range is too large to read: limit is ${maxReadBytes} bytes`;
    throw new FileSystemError("tooLarge", path, message);
  }
  if (Number.isSafeInteger(offset) && offset >= 0 && Number.isSafeInteger(length) && length >= 0)
    return range;
  const message = `offset and length must be whole numbers of at least 0, not ${offset} and ${length}`;
  throw new FileSystemError("invalidInput", path, message);
}

function createDirectory(path: AbsolutePath, recursive: boolean, guard: WriteGuard): void {
  if (recursive) return makeDirectories(path, guard);
  using guarded = guard(path, "content");
  mkdirSync(guarded.path);
}

function describePath(path: AbsolutePath): FileMetadata {
  const entry = lstatSync(path);
  const target = entry.isSymbolicLink() ? statSync(path) : entry;
  return {
    isDirectory: target.isDirectory(),
    isFile: target.isFile(),
    isSymlink: entry.isSymbolicLink(),
    size: target.size,
    mode: target.mode & 0o7777,
    createdAtMs: Math.trunc(target.birthtimeMs),
    modifiedAtMs: Math.trunc(target.mtimeMs),
  };
}

const readdirAsync = promisify<string, { withFileTypes: true }, Dirent[]>(readdir);

async function listDirectory(path: AbsolutePath): Promise<DirectoryEntry[]> {
  const entries = await readdirAsync(path, { withFileTypes: true });
  return entries.map((entry) => ({
    fileName: entry.name,
    isDirectory: entry.isDirectory(),
    isFile: entry.isFile(),
    isSymlink: entry.isSymbolicLink(),
  }));
}

function renameEntry(from: AbsolutePath, to: AbsolutePath, guard: WriteGuard): void {
  using source = guard(from, "entry");
  using target = guard(to, "entry");
  renameSync(source.path, target.path);
}

const rmAsync = promisify(rm);

interface LocalRemove {
  readonly recursive: boolean;
  readonly force: boolean;
  readonly guard: WriteGuard;
}

async function removeEntry(path: AbsolutePath, how: LocalRemove): Promise<void> {
  try {
    using guarded = how.guard(path, "entry");
    if (!lstatSync(guarded.path).isDirectory()) unlinkSync(guarded.path);
    else if (how.recursive) await rmAsync(guarded.path, { recursive: true });
    else rmdirSync(guarded.path);
  } catch (error) {
    if (!how.force || !hasCode(error, "ENOENT")) throw error;
  }
}
