import type { AbsolutePath, SandboxIntent } from "@codex/protocol";

/** An entry as the directory holds it: a link is a link, whatever it points to. */
export interface DirectoryEntry {
  /** Lossy where the name is not UTF-8; such an entry cannot be opened again. */
  readonly fileName: string;
  readonly isDirectory: boolean;
  readonly isFile: boolean;
  readonly isSymlink: boolean;
}

/** What a path leads to, links followed; `isSymlink` tells whether the path itself is a link. */
export interface FileMetadata {
  readonly isDirectory: boolean;
  readonly isFile: boolean;
  readonly isSymlink: boolean;
  /** Bytes; undefined where the side cannot tell. */
  readonly size: number | undefined;
  /** Permission bits; undefined where the side cannot tell. */
  readonly mode: number | undefined;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

export interface WalkOptions {
  /** 1: the directory's own entries only. */
  readonly maxDepth: number;
  /** Stop after this many entries. */
  readonly maxEntries: number;
}

export interface WalkEntry extends DirectoryEntry {
  /** Below the walked directory, segments joined by `/`. */
  readonly relativePath: string;
}

export interface WalkResult {
  /** Breadth first, sorted by name (bytes) inside a directory; links are never entered. */
  readonly entries: readonly WalkEntry[];
  /** Directories below the root that could not be read. */
  readonly errors: readonly { readonly relativePath: string; readonly error: Error }[];
  /** True when `maxEntries` cut the walk short. */
  readonly isTruncated: boolean;
}

/** Options of every call: aborting rejects with the signal's reason; a change already under way may still happen. */
export interface FileCallOptions {
  readonly signal?: AbortSignal;
}

/** Options of every changing call: enforced by the side that changes; refused (`sandboxDenied`) outside the writable roots. */
export interface FileChangeOptions extends FileCallOptions {
  /** Left out: no restriction. */
  readonly sandbox?: SandboxIntent;
}

export interface WriteFileOptions extends FileChangeOptions {
  /** Permission bits of the written file; left out, an existing file keeps its own. */
  readonly mode?: number;
  /** Write beside and rename over, so that a reader sees the old or the new file, never a part. A link is followed and kept. */
  readonly atomic?: boolean;
}

/** Files of one machine. All paths are that machine's own. Every failure is a `FileSystemError`; the root of `walk` that is missing or no directory is one too. */
export interface FileSystem {
  /** The whole file; larger than 512 MiB is refused as `tooLarge`. */
  readFile(path: AbsolutePath, options?: FileCallOptions): Promise<Uint8Array>;
  /** Up to `length` bytes from `offset`; fewer only at the end of the file, none beyond it. */
  readRange(
    path: AbsolutePath,
    range: { readonly offset: number; readonly length: number },
    options?: FileCallOptions,
  ): Promise<Uint8Array>;
  writeFile(path: AbsolutePath, bytes: Uint8Array, options?: WriteFileOptions): Promise<void>;
  /** `recursive` (default true) makes parents and accepts an existing directory. */
  createDirectory(
    path: AbsolutePath,
    options?: FileChangeOptions & { readonly recursive?: boolean },
  ): Promise<void>;
  getMetadata(path: AbsolutePath, options?: FileCallOptions): Promise<FileMetadata>;
  /** In no promised order. */
  readDirectory(path: AbsolutePath, options?: FileCallOptions): Promise<DirectoryEntry[]>;
  walk(path: AbsolutePath, options: WalkOptions & FileCallOptions): Promise<WalkResult>;
  /** Every link resolved. */
  canonicalize(path: AbsolutePath, options?: FileCallOptions): Promise<AbsolutePath>;
  /** Replaces an existing file. */
  rename(from: AbsolutePath, to: AbsolutePath, options?: FileChangeOptions): Promise<void>;
  /** `recursive` and `force` (a missing path is no error) default to true. */
  remove(
    path: AbsolutePath,
    options?: FileChangeOptions & { readonly recursive?: boolean; readonly force?: boolean },
  ): Promise<void>;
  /** `recursive` (default false) is needed for a directory. Links are copied as links. */
  copy(
    from: AbsolutePath,
    to: AbsolutePath,
    options?: FileChangeOptions & { readonly recursive?: boolean },
  ): Promise<void>;
}
