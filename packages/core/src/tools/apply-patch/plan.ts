import { type FileSystem, isFileSystemError, osErrorMessage } from "@codex/environment";
import { type AbsolutePath, type FileChange, joinPath } from "@codex/protocol";
import { computeUpdate } from "./compute.ts";
import type { Hunk } from "./parse.ts";
import { PatchError } from "./patch-error.ts";

/** What a path held before the patch. */
export interface FileBefore {
  readonly bytes: Uint8Array;
  readonly mode: number | undefined;
  readonly isSymlink: boolean;
}

/** One path the patch changes. */
export interface PlannedFile {
  readonly path: AbsolutePath;
  /** Undefined: there was nothing. */
  readonly before: FileBefore | undefined;
  /** Undefined: nothing is left. */
  readonly after: Uint8Array | undefined;
  /** Of the file that was moved here; undefined: the file's own, or the default of a new one. */
  readonly mode: number | undefined;
  /** Where its content comes from, when it was moved here. */
  readonly movedFrom: AbsolutePath | undefined;
  /** Its content went to another path. */
  readonly isMoveSource: boolean;
}

/** A verified patch: everything was read and computed, nothing written. */
export interface PatchPlan {
  readonly files: readonly PlannedFile[];
  /** For the thread's item. */
  readonly changes: FileChange["changes"];
}

interface PlanOptions {
  readonly fileSystem: FileSystem;
  /** Relative paths of the patch start here. */
  readonly base: AbsolutePath;
  readonly signal: AbortSignal;
}

/**
 * Verifies all hunks, in their order, each on what those before it leave. Reads every file at the same time. Throws
 * {@link PatchError} for the first hunk that does not fit; a lost executor and an abort reject as they are.
 */
export async function planPatch(
  hunks: readonly Hunk[],
  { fileSystem, base, signal }: PlanOptions,
): Promise<PatchPlan> {
  const paths = new Set(hunks.flatMap((hunk) => pathsOf(hunk, base)));
  const found = await Promise.all(
    [...paths].map(async (path) => [path, await lookAt(path, { fileSystem, signal })] as const),
  );
  const draft = new Draft(new Map(found));
  for (const hunk of hunks) draft.apply(hunk, base);
  return { files: draft.files(), changes: draft.changes() };
}

function pathsOf(hunk: Hunk, base: AbsolutePath): AbsolutePath[] {
  const path = joinPath(base, hunk.path);
  return hunk.type === "update" && hunk.moveTo !== undefined
    ? [path, joinPath(base, hunk.moveTo)]
    : [path];
}

/** A file, nothing, or the reason why it can be neither read nor written. */
type Found = FileBefore | "absent" | { readonly reason: string };

async function lookAt(
  path: AbsolutePath,
  { fileSystem, signal }: Pick<PlanOptions, "fileSystem" | "signal">,
): Promise<Found> {
  try {
    const { isFile, isDirectory, isSymlink, mode } = await fileSystem.getMetadata(path, { signal });
    if (isDirectory) return { reason: osErrorMessage("EISDIR") };
    if (!isFile) return { reason: "not a regular file" };
    return { bytes: await fileSystem.readFile(path, { signal }), mode, isSymlink };
  } catch (error) {
    if (!isFileSystemError(error) || error.kind === "lost") throw error;
    return error.kind === "notFound" ? "absent" : { reason: error.message };
  }
}

interface Entry {
  readonly before: FileBefore | undefined;
  after: Uint8Array | undefined;
  mode: number | undefined;
  movedFrom: AbsolutePath | undefined;
  isMoveSource: boolean;
}

/** The files as the hunks so far leave them. */
class Draft {
  readonly #found: ReadonlyMap<AbsolutePath, Found>;
  readonly #entries = new Map<AbsolutePath, Entry>();
  readonly #kinds = new Map<AbsolutePath, "add" | "delete" | "update">();

  constructor(found: ReadonlyMap<AbsolutePath, Found>) {
    this.#found = found;
  }

  files(): PlannedFile[] {
    return [...this.#entries]
      .map(([path, entry]) => ({ path, ...entry }))
      .filter(({ before, after }) => before !== undefined || after !== undefined);
  }

  changes(): FileChange["changes"] {
    return [...this.#kinds]
      .map(([path, kind]) => ({ path, kind }))
      .toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  }

  apply(hunk: Hunk, base: AbsolutePath): void {
    const path = joinPath(base, hunk.path);
    const isNew = this.#kinds.get(path) === "add";
    if (hunk.type !== "update" || !isNew) this.#kinds.set(path, hunk.type);
    if (hunk.type === "add") return this.#write(path, Buffer.from(hunk.text));
    if (hunk.type === "delete") {
      const { entry } = this.#read(path, `Failed to read ${path}`);
      entry.after = undefined;
      return;
    }
    const { entry, bytes } = this.#read(path, `Failed to read file to update ${path}`);
    const after = computeUpdate(path, bytes, hunk.chunks);
    const target = hunk.moveTo === undefined ? path : joinPath(base, hunk.moveTo);
    if (target === path) return this.#write(path, after);
    this.#write(target, after, { mode: entry.mode ?? entry.before?.mode, movedFrom: path });
    entry.after = undefined;
    entry.isMoveSource = true;
  }

  #read(path: AbsolutePath, failure: string): { entry: Entry; bytes: Uint8Array } {
    const entry = this.#entry(path, failure);
    if (entry.after === undefined) throw new PatchError(`${failure}: ${osErrorMessage("ENOENT")}`);
    return { entry, bytes: entry.after };
  }

  #write(
    path: AbsolutePath,
    bytes: Uint8Array,
    moved?: { readonly mode: number | undefined; readonly movedFrom: AbsolutePath },
  ): void {
    const entry = this.#entry(path, `Failed to write file ${path}`);
    Object.assign(entry, { ...moved, after: bytes, isMoveSource: false });
  }

  #entry(path: AbsolutePath, failure: string): Entry {
    const known = this.#entries.get(path);
    if (known !== undefined) return known;
    const found = this.#found.get(path) ?? "absent";
    if (found !== "absent" && "reason" in found)
      throw new PatchError(`${failure}: ${found.reason}`);
    const before = found === "absent" ? undefined : found;
    const entry: Entry = {
      before,
      after: before?.bytes,
      mode: undefined,
      movedFrom: undefined,
      isMoveSource: false,
    };
    this.#entries.set(path, entry);
    return entry;
  }
}
