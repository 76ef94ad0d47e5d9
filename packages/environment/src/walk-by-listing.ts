import { type AbsolutePath, joinPath } from "@codex/protocol";
import { compareByteOrder } from "./byte-order.ts";
import { FileSystemError, isFileSystemError } from "./file-system-error.ts";
import type {
  DirectoryEntry,
  FileCallOptions,
  FileSystem,
  WalkEntry,
  WalkOptions,
  WalkResult,
} from "./file-system.ts";

/** Listings asked for at the same time. */
const defaultListingsAtOnce = 16;

interface Found {
  readonly entries: WalkEntry[];
  readonly errors: { relativePath: string; error: Error }[];
  isTruncated: boolean;
}

/**
 * `FileSystem.walk` made of `readDirectory` calls, for every side that has no walk of its own. The directories of one
 * depth are listed together, so a walk costs about one round trip for each depth; `listingsAtOnce` (default 16) is how
 * many at a time.
 */
export async function walkByListing(
  fileSystem: Pick<FileSystem, "readDirectory">,
  root: AbsolutePath,
  options: WalkOptions & FileCallOptions & { readonly listingsAtOnce?: number },
): Promise<WalkResult> {
  const { listingsAtOnce = defaultListingsAtOnce } = options;
  checkLimits(root, options);
  const found: Found = { entries: [], errors: [], isTruncated: false };
  const call = options.signal === undefined ? {} : { signal: options.signal };
  let level = recordListing(found, "", await fileSystem.readDirectory(root, call), options);
  for (let depth = 2; depth <= options.maxDepth && level.length > 0; depth++) {
    const next: string[] = [];
    for (let at = 0; at < level.length && !found.isTruncated; at += listingsAtOnce) {
      const batch = level.slice(at, at + listingsAtOnce);
      const listings = await Promise.allSettled(
        batch.map((directory) => fileSystem.readDirectory(joinPath(root, directory), call)),
      );
      next.push(...recordBatch(found, batch, listings, options));
    }
    level = found.isTruncated ? [] : next;
  }
  return found;
}

function recordBatch(
  found: Found,
  batch: readonly string[],
  listings: readonly PromiseSettledResult<DirectoryEntry[]>[],
  options: WalkOptions & FileCallOptions,
): string[] {
  const directories: string[] = [];
  for (const [index, relativePath] of batch.entries()) {
    if (found.isTruncated) break;
    const listing = listings[index];
    if (listing?.status === "fulfilled")
      directories.push(...recordListing(found, relativePath, listing.value, options));
    else found.errors.push({ relativePath, error: tolerable(listing?.reason, options.signal) });
  }
  return directories;
}

/** Appends one directory's entries in order; returns those to be entered. */
function recordListing(
  found: Found,
  parent: string,
  listing: readonly DirectoryEntry[],
  options: WalkOptions,
): string[] {
  const directories: string[] = [];
  for (const entry of listing.toSorted((a, b) => compareByteOrder(a.fileName, b.fileName))) {
    if (found.entries.length >= options.maxEntries) {
      found.isTruncated = true;
      return directories;
    }
    const relativePath = parent === "" ? entry.fileName : `${parent}/${entry.fileName}`;
    found.entries.push({ ...entry, relativePath });
    if (entry.isDirectory && !entry.isSymlink) directories.push(relativePath);
  }
  return directories;
}

/** A directory that cannot be read does not stop a walk; an abort or a lost executor does. */
function tolerable(reason: unknown, signal: AbortSignal | undefined): Error {
  if (signal?.aborted) throw signal.reason;
  if (!isFileSystemError(reason) || reason.kind === "lost") throw reason;
  return reason;
}

function checkLimits(root: AbsolutePath, { maxDepth, maxEntries }: WalkOptions): void {
  if (maxDepth >= 1 && maxEntries >= 1) return;
  throw new FileSystemError(
    "invalidInput",
    root,
    `walk needs maxDepth and maxEntries of at least 1, not ${maxDepth} and ${maxEntries}`,
  );
}
