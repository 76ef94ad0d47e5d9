import {
  type FileCallOptions,
  FileSystemError,
  type WalkEntry,
  type WalkOptions,
  type WalkResult,
} from "@codex/environment";
import {
  type AbsolutePath,
  baseName,
  type CurrentParams,
  type CurrentResult,
  parseWirePath,
  toFileUri,
} from "@codex/protocol";

type Asked = CurrentParams<"fsWalk">;
type Told = CurrentResult<"fsWalk">;

/** What one answer may hold; from the original. */
const most = { depth: 64, directories: 10_000, entries: 50_000 };

/** True when one `fs/walk` can answer it. */
export function fitsOneWalk({ maxDepth, maxEntries }: WalkOptions): boolean {
  return maxDepth >= 1 && maxEntries >= 1 && maxDepth - 1 <= most.depth;
}

export function walkParams(
  path: AbsolutePath,
  { maxDepth, maxEntries }: WalkOptions & FileCallOptions,
  everyEntry: boolean,
): Asked {
  const options = {
    // Over there 0 is the directory's own entries.
    maxDepth: maxDepth - 1,
    maxDirectories: most.directories,
    maxEntries: Math.min(maxEntries, most.entries),
    followDirectorySymlinks: false,
    pruneHiddenDirectories: false,
    ...(everyEntry && { everyEntry }),
  };
  return { path: toFileUri(path), options };
}

export function walkResult(root: AbsolutePath, { entries, errors, truncated }: Told): WalkResult {
  return {
    entries: entries.map(({ path, kind }) => entryOf(root, path, kind)),
    errors: errors.map(({ path, message }) => {
      const relativePath = below(root, path);
      return { relativePath, error: new FileSystemError("other", path, message) };
    }),
    isTruncated: truncated,
  };
}

function entryOf(
  root: AbsolutePath,
  uri: string,
  kind: Told["entries"][number]["kind"],
): WalkEntry {
  const relativePath = below(root, uri);
  return {
    relativePath,
    fileName: relativePath.slice(relativePath.lastIndexOf("/") + 1),
    isDirectory: kind === "directory",
    isFile: kind === "file",
    isSymlink: kind === "symlink",
  };
}

function below(root: AbsolutePath, uri: string): string {
  const path = parseWirePath(uri);
  const prefix = root === "/" ? "/" : `${root}/`;
  if (path?.startsWith(prefix) === true) return path.slice(prefix.length);
  return path === undefined ? uri : baseName(path);
}
