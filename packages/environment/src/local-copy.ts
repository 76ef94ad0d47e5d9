import {
  closeSync,
  constants,
  copyFile,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { promisify } from "node:util";
import { type AbsolutePath, isInside, joinPath, parentPath } from "@codex/protocol";
import { FileSystemError } from "./file-system-error.ts";
import { hasCode } from "./os-error.ts";
import { realTarget } from "./real-path.ts";
import type { WriteGuard } from "./write-guard.ts";

const copyFileAsync = promisify(copyFile);

/** Texts of the refusals, alike on every side. */
export const copyRefusals = {
  needsRecursive: "fs/copy requires recursive: true when sourcePath is a directory",
  intoItself: "fs/copy cannot copy a directory to itself or one of its descendants",
  otherKind: "fs/copy only supports regular files, directories, and symlinks",
} as const;

export interface LocalCopy {
  readonly recursive: boolean;
  readonly guard: WriteGuard;
  readonly signal: AbortSignal | undefined;
}

/**
 * Copies a file with its mode, a link as a link, a directory with all below it into whatever is there. Inside a
 * directory, what is neither file, directory nor link is left out.
 */
export async function copyEntry(
  from: AbsolutePath,
  to: AbsolutePath,
  options: LocalCopy,
): Promise<void> {
  const kind = lstatSync(from);
  if (kind.isDirectory()) {
    if (!options.recursive) throw refused(from, "needsRecursive");
    if (isInside(realTarget(to), realpathSync.native(from) as AbsolutePath))
      throw refused(from, "intoItself");
    return await copyDirectory(from, to, options);
  }
  if (kind.isSymbolicLink()) return copyLink(from, to, options.guard);
  if (kind.isFile()) return await copyRegularFile(from, to, options.guard);
  throw refused(from, "otherKind");
}

async function copyDirectory(from: AbsolutePath, to: AbsolutePath, options: LocalCopy) {
  makeDirectories(to, options.guard);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    options.signal?.throwIfAborted();
    const source = joinPath(from, entry.name);
    const target = joinPath(to, entry.name);
    if (entry.isDirectory()) await copyDirectory(source, target, options);
    else if (entry.isSymbolicLink()) copyLink(source, target, options.guard);
    else if (entry.isFile()) await copyRegularFile(source, target, options.guard);
  }
}

/** Makes `path` and its missing parents, each one checked; an existing directory is accepted. */
export function makeDirectories(path: AbsolutePath, guard: WriteGuard): void {
  try {
    using guarded = guard(path, "content");
    mkdirSync(guarded.path);
  } catch (error) {
    if (hasCode(error, "EEXIST") && statSync(path, { throwIfNoEntry: false })?.isDirectory())
      return;
    const parent = parentPath(path);
    if (!hasCode(error, "ENOENT") || parent === undefined) throw error;
    makeDirectories(parent, guard);
    makeDirectories(path, guard);
  }
}

function copyLink(from: AbsolutePath, to: AbsolutePath, guard: WriteGuard): void {
  using guarded = guard(to, "entry");
  symlinkSync(readlinkSync(from), guarded.path);
}

async function copyRegularFile(from: AbsolutePath, to: AbsolutePath, guard: WriteGuard) {
  using guarded = guard(to, "content");
  if (!guarded.isGuarded) return await copyFileAsync(from, guarded.path);
  // `copyFile` would follow a link put there since the check; through the descriptor it cannot.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW;
  const descriptor = openSync(guarded.path, flags | constants.O_NONBLOCK);
  try {
    await copyFileAsync(from, `/proc/self/fd/${descriptor}`);
  } finally {
    closeSync(descriptor);
  }
}

function refused(path: AbsolutePath, why: keyof typeof copyRefusals): FileSystemError {
  return new FileSystemError("invalidInput", path, copyRefusals[why]);
}
