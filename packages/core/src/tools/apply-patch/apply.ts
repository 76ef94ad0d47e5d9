import { type FileSystem, FileSystemError, isFileSystemError } from "@codex/environment";
import { type AbsolutePath, parentPath, type SandboxIntent } from "@codex/protocol";
import type { FileBefore, PatchPlan, PlannedFile } from "./plan.ts";

/** A change that failed, and what has become of every file since. */
export interface ApplyFailure {
  readonly message: string;
  /** The sandbox refused it. */
  readonly isDenied: boolean;
  readonly states: readonly FileState[];
}

export interface FileState {
  readonly path: AbsolutePath;
  readonly isAsBefore: boolean;
  readonly text: string;
}

interface ApplyOptions {
  readonly fileSystem: FileSystem;
  readonly sandbox: SandboxIntent;
}

/**
 * Makes the changes of a plan: directories, then every file at once, each replaced as a whole, then what goes. When
 * something fails, what was changed is put back as far as possible; the result says so. Once begun it is not aborted,
 * since half a patch is worse than a late end. Rejects only when the executor is lost.
 */
export async function applyPlan(
  plan: PatchPlan,
  options: ApplyOptions,
): Promise<ApplyFailure | undefined> {
  const changes = new Changes(options);
  const written = plan.files.filter(({ after }) => after !== undefined);
  const removed = plan.files.filter(({ after }) => after === undefined);
  const error =
    (await changes.makeDirectories(written)) ??
    (await changes.all(written, (file) => changes.write(file))) ??
    (await changes.all(removed, (file) => changes.remove(file)));
  if (error === undefined) return undefined;
  const states = await Promise.all(plan.files.map((file) => changes.putBack(file)));
  return {
    message: error.message,
    isDenied: isFileSystemError(error.cause, "sandboxDenied"),
    states,
  };
}

class Changes {
  readonly #fileSystem: FileSystem;
  readonly #sandbox: SandboxIntent;
  readonly #changed = new Set<PlannedFile>();

  constructor({ fileSystem, sandbox }: ApplyOptions) {
    this.#fileSystem = fileSystem;
    this.#sandbox = sandbox;
  }

  /** The parents of new files; a file that was there has one. */
  makeDirectories(files: readonly PlannedFile[]): Promise<Error | undefined> {
    const directories = new Map<AbsolutePath, AbsolutePath>();
    for (const { path, before } of files)
      if (before === undefined) directories.set(parentPath(path) ?? path, path);
    return firstFailure(
      [...directories].map(([directory, path]) =>
        failing(
          `Failed to create parent directories for ${path}`,
          this.#fileSystem.createDirectory(directory, { sandbox: this.#sandbox }),
        ),
      ),
    );
  }

  all(
    files: readonly PlannedFile[],
    change: (file: PlannedFile) => Promise<void>,
  ): Promise<Error | undefined> {
    return firstFailure(
      files.map(async (file) => {
        await change(file);
        this.#changed.add(file);
      }),
    );
  }

  write(file: PlannedFile): Promise<void> {
    const { path, after, mode } = file;
    const written = this.#write(path, after!, mode).catch((error: unknown) => {
      if (!isFileSystemError(error, "unsupported")) throw error;
      return this.#writeInPlace(file, after!);
    });
    return failing(`Failed to write file ${path}`, written);
  }

  /** For a side that neither replaces a file as a whole nor sets its mode: what fails half-way is changed too. */
  async #writeInPlace(file: PlannedFile, bytes: Uint8Array): Promise<void> {
    const { path, movedFrom } = file;
    const options = { sandbox: this.#sandbox };
    this.#changed.add(file);
    // A copy has the mode of its original, which such a side has no other way to give.
    if (movedFrom !== undefined) await this.#fileSystem.copy(movedFrom, path, options);
    await this.#fileSystem.writeFile(path, bytes, options);
  }

  remove({ path, isMoveSource }: PlannedFile): Promise<void> {
    const failure = isMoveSource ? "Failed to remove original" : "Failed to delete file";
    return failing(`${failure} ${path}`, this.#remove(path));
  }

  /** What the file is afterwards. */
  async putBack(file: PlannedFile): Promise<FileState> {
    const { path, before, after } = file;
    if (!this.#changed.has(file)) return { path, isAsBefore: true, text: "as before" };
    const what = after === undefined ? "removed" : before === undefined ? "added" : "changed";
    if (after === undefined && before?.isSymlink)
      return { path, isAsBefore: false, text: "removed; it was a link and is not put back" };
    try {
      if (before === undefined) await this.#remove(path);
      else await this.#restore(path, before);
      return { path, isAsBefore: true, text: "as before, put back" };
    } catch (error) {
      if (!(error instanceof FileSystemError) || error.kind === "lost") throw error;
      return { path, isAsBefore: false, text: `${what}, could not be put back: ${error.message}` };
    }
  }

  async #restore(path: AbsolutePath, { bytes, mode }: FileBefore): Promise<void> {
    try {
      await this.#write(path, bytes, mode);
    } catch (error) {
      if (!isFileSystemError(error, "unsupported")) throw error;
      await this.#fileSystem.writeFile(path, bytes, { sandbox: this.#sandbox });
    }
  }

  #write(path: AbsolutePath, bytes: Uint8Array, mode: number | undefined): Promise<void> {
    const sandbox = this.#sandbox;
    const options = { sandbox, atomic: true, ...(mode === undefined ? {} : { mode }) };
    return this.#fileSystem.writeFile(path, bytes, options);
  }

  #remove(path: AbsolutePath): Promise<void> {
    const options = { sandbox: this.#sandbox, recursive: false, force: false };
    return this.#fileSystem.remove(path, options);
  }
}

/** A failed change says what it was; a lost executor stays what it is. */
async function failing(message: string, change: Promise<void>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (!isFileSystemError(error) || error.kind === "lost") throw error;
    throw new Error(`${message}: ${error.message}`, { cause: error });
  }
}

/** Waits for all, so that nothing is still under way when the answer is given. */
async function firstFailure(changes: readonly Promise<void>[]): Promise<Error | undefined> {
  const errors: unknown[] = [];
  for (const result of await Promise.allSettled(changes))
    if (result.status === "rejected") errors.push(result.reason);
  for (const error of errors)
    if (!(error instanceof Error) || isFileSystemError(error)) throw error;
  return errors[0] as Error | undefined;
}
