import {
  compareByteOrder,
  type DirectoryEntry,
  type FileSystem,
  isFileSystemError,
} from "@codex/environment";
import {
  type AbsolutePath,
  baseName,
  type CurrentParams,
  type CurrentResult,
  joinPath,
  toFileUri,
} from "@codex/protocol";
import { invalidRequest } from "./server-errors.ts";

type WalkOptions = CurrentParams<"fsWalk">["options"];
type Walked = CurrentResult<"fsWalk">;
type WalkedEntry = Walked["entries"][number];

/** From the original. */
const most = { depth: 64, directories: 10_000, entries: 50_000 };

/** The answer's size, counted as the original does: an entry is its path and 64 bytes. */
const maxAnswerBytes = 4 * 1024 * 1024;
const entryBytes = 64;

/** Metadata asked for at the same time. */
const atOnce = 16;

/**
 * The tree below a directory in one answer: breadth first, by name inside a directory. A root that is no directory has
 * nothing below it; one that is missing is an error.
 */
export async function walk(
  files: FileSystem,
  root: AbsolutePath,
  options: WalkOptions,
): Promise<Walked> {
  checkLimits(options);
  const found = new Walk(files, options);
  if (!(await files.getMetadata(root)).isDirectory) return found.result;
  await found.enter(root);
  return found.result;
}

interface Child {
  readonly path: AbsolutePath;
  readonly kind: WalkedEntry["kind"];
}

class Walk {
  readonly result: Walked = { entries: [], errors: [], truncated: false };
  readonly #files: FileSystem;
  readonly #options: WalkOptions;
  readonly #entered = new Set<AbsolutePath>();
  #directories = 0;
  #bytes = 0;

  constructor(files: FileSystem, options: WalkOptions) {
    this.#files = files;
    this.#options = options;
  }

  async enter(root: AbsolutePath): Promise<void> {
    let level = [root];
    for (let depth = 0; level.length > 0 && depth <= this.#options.maxDepth; depth += 1) {
      const next: AbsolutePath[] = [];
      for (const directory of level) {
        if (this.result.truncated || !(await this.#mayRead(directory))) continue;
        next.push(...(await this.#read(directory, directory === root)));
      }
      level = next;
    }
  }

  /** Counts it. A directory that several links lead to is read once. */
  async #mayRead(directory: AbsolutePath): Promise<boolean> {
    if (this.#options.followDirectorySymlinks) {
      const real = await this.#files.canonicalize(directory).catch(() => directory);
      if (this.#entered.has(real)) return false;
      this.#entered.add(real);
    }
    this.#directories += 1;
    this.result.truncated = this.#directories > this.#options.maxDirectories;
    return !this.result.truncated;
  }

  /** Gives the directories in it that are to be read. */
  async #read(directory: AbsolutePath, isRoot: boolean): Promise<AbsolutePath[]> {
    let listing: DirectoryEntry[];
    try {
      listing = await this.#files.readDirectory(directory);
    } catch (error) {
      if (isRoot || !isFileSystemError(error) || error.kind === "lost") throw error;
      this.result.errors.push({ path: toFileUri(directory), message: error.message });
      return [];
    }
    listing.sort((a, b) => compareByteOrder(a.fileName, b.fileName));
    const directories: AbsolutePath[] = [];
    for (let at = 0; at < listing.length && !this.result.truncated; at += atOnce) {
      const batch = listing.slice(at, at + atOnce);
      const children = await Promise.all(batch.map((entry) => this.#child(directory, entry)));
      await this.#record(children.filter((child) => child !== undefined));
      directories.push(...children.flatMap((child) => (child && this.#isToRead(child)) ?? []));
    }
    return directories;
  }

  async #child(directory: AbsolutePath, entry: DirectoryEntry): Promise<Child | undefined> {
    const path = joinPath(directory, entry.fileName);
    if (entry.isSymlink) {
      if (this.#options.followDirectorySymlinks && (await this.#leadsToDirectory(path)))
        return { path, kind: "directory" };
      return this.#options.everyEntry === true ? { path, kind: "symlink" } : undefined;
    }
    if (entry.isDirectory) return { path, kind: "directory" };
    if (entry.isFile) return { path, kind: "file" };
    return this.#options.everyEntry === true ? { path, kind: "other" } : undefined;
  }

  async #record(children: readonly Child[]): Promise<void> {
    const entries = await Promise.all(children.map((child) => this.#describe(child)));
    for (const entry of entries) {
      this.#bytes += Buffer.byteLength(entry.path) + entryBytes;
      if (this.result.entries.length >= this.#options.maxEntries || this.#bytes > maxAnswerBytes) {
        this.result.truncated = true;
        return;
      }
      this.result.entries.push(entry);
    }
  }

  async #describe({ path, kind }: Child): Promise<WalkedEntry> {
    const entry = { path: toFileUri(path), kind };
    if (this.#options.metadata !== true) return entry;
    const told = await this.#files.getMetadata(path).catch(() => undefined);
    return {
      ...entry,
      ...(told?.size !== undefined && { size: told.size }),
      ...(told?.mode !== undefined && { mode: told.mode }),
      ...(told && { modifiedAtMs: told.modifiedAtMs }),
    };
  }

  #isToRead({ path, kind }: Child): AbsolutePath | undefined {
    const isPruned = this.#options.pruneHiddenDirectories && baseName(path).startsWith(".");
    return kind === "directory" && !isPruned ? path : undefined;
  }

  async #leadsToDirectory(path: AbsolutePath): Promise<boolean> {
    return (await this.#files.getMetadata(path).catch(() => undefined))?.isDirectory === true;
  }
}

function checkLimits({ maxDepth, maxDirectories, maxEntries }: WalkOptions): void {
  if (maxDirectories === 0 || maxEntries === 0)
    throw invalidRequest("filesystem walk limits must be greater than zero");
  if (maxDepth > most.depth || maxDirectories > most.directories || maxEntries > most.entries)
    throw invalidRequest(
      `filesystem walk limits exceed maximums: depth=${most.depth}, directories=${most.directories}, entries=${most.entries}`,
    );
}
