import {
  type FileChangeOptions,
  type FileMetadata,
  type FileSystem,
  FileSystemError,
  maxReadBytes,
  osError,
  walkByListing,
} from "@codex/environment";
import { type AbsolutePath, toAbsolutePath } from "@codex/protocol";
import { checkMemoryChange } from "./memory-sandbox.ts";
import {
  copyMemoryEntry,
  makeMemoryDirectories,
  removeMemoryEntry,
  renameMemoryEntry,
} from "./memory-changes.ts";
import {
  type MemoryDirectory,
  type MemoryNode,
  type MemoryPlace,
  MemoryTree,
} from "./memory-tree.ts";

/** What starts out in a memory file system: text or bytes by absolute path; a path that ends in `/` is a directory. */
export type MemoryFiles = Readonly<Record<string, string | Uint8Array>>;

export interface MemoryFileSystemOptions {
  /** Named in errors. */
  readonly environment?: string;
  /** `$TMPDIR` of this machine. */
  readonly temporaryDirectory?: AbsolutePath;
  /** The clock of the times in metadata; stands at 0 when left out. */
  readonly now?: () => number;
}

/** A whole `FileSystem` in memory, and the two things that only the machine's owner can do. */
export interface MemoryFileSystem extends FileSystem {
  makeSymlink(target: string, path: AbsolutePath): Promise<void>;
  makeUnreadable(directory: AbsolutePath): void;
}

/** A `FileSystem` over a record of paths; it passes the contract suites. Every call settles in a later turn, as over a wire. */
export function createMemoryFileSystem(
  files: MemoryFiles = {},
  options: MemoryFileSystemOptions = {},
): MemoryFileSystem {
  const tree = new MemoryTree(options.now ?? (() => 0));
  fill(tree, files);
  const { environment, temporaryDirectory } = options;
  const doing = async <T>(
    path: AbsolutePath,
    call: FileChangeOptions | undefined,
    work: () => T,
  ) => {
    call?.signal?.throwIfAborted();
    await Promise.resolve();
    call?.signal?.throwIfAborted();
    return named(work, path, environment);
  };
  const check = (place: MemoryPlace, change: "content" | "entry", call?: FileChangeOptions) =>
    checkMemoryChange(tree, place, { change, sandbox: call?.sandbox, temporaryDirectory });

  const readDirectory: FileSystem["readDirectory"] = (path, call) =>
    doing(path, call, () => list(directoryAt(tree, path)));
  return {
    readFile: (path, call) => doing(path, call, () => fileAt(tree, path).bytes.slice()),
    readRange: (path, range, call) =>
      doing(path, call, () => slice(fileAt(tree, path), path, range)),
    writeFile: (path, bytes, call) =>
      doing(path, call, () => {
        const place = tree.find(path, true);
        check(place, "content", call);
        if (place.node?.kind === "directory") throw osError("EISDIR", path);
        const file = tree.newFile(bytes.slice());
        file.mode = call?.mode ?? place.node?.mode ?? file.mode;
        tree.put(place, file);
      }),
    createDirectory: (path, call) =>
      doing(path, call, () => {
        if (call?.recursive ?? true)
          return makeMemoryDirectories(tree, path, (place) => check(place, "content", call));
        const place = tree.find(path, false);
        check(place, "content", call);
        if (place.node !== undefined) throw osError("EEXIST", path);
        tree.put(place, tree.newDirectory());
      }),
    getMetadata: (path, call) => doing(path, call, () => describeNode(tree, path)),
    readDirectory,
    walk: (path, call) => walkByListing({ readDirectory }, path, call),
    canonicalize: (path, call) => doing(path, call, () => tree.get(path, true).real),
    rename: (from, to, call) =>
      doing(from, call, () =>
        renameMemoryEntry(tree, { from, to }, (place) => check(place, "entry", call)),
      ),
    remove: (path, call) =>
      doing(path, call, () => {
        const { recursive = true, force = true } = call ?? {};
        removeMemoryEntry(tree, path, {
          recursive,
          force,
          check: (place) => check(place, "entry", call),
        });
      }),
    copy: (from, to, call) =>
      doing(from, call, () => {
        const recursive = call?.recursive ?? false;
        copyMemoryEntry(
          tree,
          { from, to },
          { recursive, check: (place) => check(place, "content", call) },
        );
      }),
    makeSymlink: async (target, path) => tree.put(tree.find(path, false), tree.newLink(target)),
    makeUnreadable: (path) => {
      directoryAt(tree, path).isReadable = false;
    },
  };
}

/** The error of `work` with the path asked for and the environment's name. */
function named<T>(work: () => T, path: AbsolutePath, environment: string | undefined): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    const options = environment === undefined ? {} : { environment };
    throw new FileSystemError(error.kind, path, error.message, options);
  }
}

function fill(tree: MemoryTree, files: MemoryFiles): void {
  for (const [text, content] of Object.entries(files)) {
    const path = toAbsolutePath(text);
    if (text.endsWith("/")) {
      tree.makeDirectories(path);
      continue;
    }
    tree.makeDirectories(toAbsolutePath(`${text}/..`));
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content.slice();
    tree.put(tree.find(path, false), tree.newFile(bytes));
  }
}

function fileAt(tree: MemoryTree, path: AbsolutePath): Extract<MemoryNode, { kind: "file" }> {
  const { node } = tree.get(path, true);
  if (node.kind !== "file") throw osError("EISDIR", path);
  return node;
}

function directoryAt(tree: MemoryTree, path: AbsolutePath): MemoryDirectory {
  const { node } = tree.get(path, true);
  if (node.kind !== "directory") throw osError("ENOTDIR", path);
  if (!node.isReadable) throw osError("EACCES", path);
  return node;
}

function slice(
  { bytes }: Extract<MemoryNode, { kind: "file" }>,
  path: AbsolutePath,
  { offset, length }: { readonly offset: number; readonly length: number },
): Uint8Array {
  if (length > maxReadBytes) throw new FileSystemError("tooLarge", path, "range is too large");
  const isValid = [offset, length].every((number) => Number.isSafeInteger(number) && number >= 0);
  if (!isValid) throw new FileSystemError("invalidInput", path, "offset or length is no size");
  return bytes.slice(offset, offset + length);
}

function list(directory: MemoryDirectory) {
  return [...directory.children].map(([fileName, { kind }]) => ({
    fileName,
    isDirectory: kind === "directory",
    isFile: kind === "file",
    isSymlink: kind === "link",
  }));
}

function describeNode(tree: MemoryTree, path: AbsolutePath): FileMetadata {
  const { node } = tree.get(path, true);
  return {
    isDirectory: node.kind === "directory",
    isFile: node.kind === "file",
    isSymlink: tree.get(path, false).node.kind === "link",
    size: node.kind === "file" ? node.bytes.length : 0,
    mode: node.mode,
    createdAtMs: node.createdAtMs,
    modifiedAtMs: node.modifiedAtMs,
  };
}
