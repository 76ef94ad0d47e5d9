import {
  type DirectoryEntry,
  type FileCallOptions,
  type FileChangeOptions,
  type FileMetadata,
  type FileSystem,
  FileSystemError,
  osErrorMessage,
  walkByListing,
  type WalkOptions,
  type WalkResult,
  type WriteFileOptions,
} from "@codex/environment";
import {
  type AbsolutePath,
  decodeBase64,
  encodeBase64,
  ErrorCode,
  execServerCurrent,
  type ExtensionName,
  type ParamsOf,
  parentPath,
  parseWirePath,
  type RequestDefinition,
  type ResultOf,
  toFileUri,
} from "@codex/protocol";
import type { ExecServerClient } from "../../client/client.ts";
import { ExecServerError } from "../../client/exec-server-error.ts";
import { readBlocks } from "./client-blocks.ts";
import { explainFile } from "./client-errors.ts";
import { type SaidSandbox, sayIntent } from "./client-sandbox.ts";
import { fitsOneWalk, walkParams, walkResult } from "./client-walk.ts";

export type Has = (extension: ExtensionName) => boolean;

/** The file calls of the present form; those of extensions that are not there are refused as `unsupported`. */
export function createCurrentFileSystem(client: ExecServerClient, has: Has): FileSystem {
  return new CurrentFileSystem(client, has);
}

const { requests } = execServerCurrent;

class CurrentFileSystem implements FileSystem {
  readonly #client: ExecServerClient;
  readonly #has: Has;

  constructor(client: ExecServerClient, has: Has) {
    this.#client = client;
    this.#has = has;
  }

  async readFile(path: AbsolutePath, options: FileCallOptions = {}): Promise<Uint8Array> {
    const params = { path: toFileUri(path) };
    const { dataBase64 } = await this.#call(requests.fsReadFile, path, params, options);
    return bytesOf(dataBase64, path);
  }

  async readRange(
    path: AbsolutePath,
    range: { readonly offset: number; readonly length: number },
    options: FileCallOptions = {},
  ): Promise<Uint8Array> {
    if ([range.offset, range.length].some((number) => !Number.isSafeInteger(number) || number < 0))
      throw new FileSystemError("invalidInput", path, "offset and length are whole, from 0");
    const { offset, length } = range;
    const uri = toFileUri(path);
    if (!this.#has("readRange"))
      return readBlocks(uri, range, (definition, params) =>
        this.#call(definition, path, params, options),
      );
    const params = { path: uri, offset, length };
    const { dataBase64 } = await this.#call(requests.fsReadRange, path, params, options);
    return bytesOf(dataBase64, path);
  }

  async writeFile(
    path: AbsolutePath,
    bytes: Uint8Array,
    options: WriteFileOptions = {},
  ): Promise<void> {
    const { mode, atomic = false } = options;
    if (mode !== undefined) this.#require("fileMode", path, "permission bits");
    if (atomic) this.#require("atomicWrite", path, "an atomic write");
    const params = {
      path: toFileUri(path),
      dataBase64: encodeBase64(bytes),
      ...(mode !== undefined && { mode }),
      ...(atomic && { atomic }),
      ...this.#restriction(path, options),
    };
    await this.#call(requests.fsWriteFile, path, params, options);
  }

  async createDirectory(
    path: AbsolutePath,
    options: FileChangeOptions & { readonly recursive?: boolean } = {},
  ): Promise<void> {
    const { recursive = true } = options;
    const params = { path: toFileUri(path), recursive, ...this.#restriction(path, options) };
    await this.#call(requests.fsCreateDirectory, path, params, options);
  }

  async getMetadata(path: AbsolutePath, options: FileCallOptions = {}): Promise<FileMetadata> {
    const params = { path: toFileUri(path) };
    const told = await this.#call(requests.fsGetMetadata, path, params, options);
    return { ...told, mode: told.mode };
  }

  async readDirectory(
    path: AbsolutePath,
    options: FileCallOptions = {},
  ): Promise<DirectoryEntry[]> {
    const params = {
      path: toFileUri(path),
      ...(this.#has("entryKinds") && { everyEntry: true }),
    };
    const { entries } = await this.#call(requests.fsReadDirectory, path, params, options);
    return entries.map((entry) => ({ ...entry, isSymlink: entry.isSymlink ?? false }));
  }

  /** One round trip, and one more when nothing was found: the root may be no directory. */
  async walk(path: AbsolutePath, options: WalkOptions & FileCallOptions): Promise<WalkResult> {
    if (!fitsOneWalk(options)) return walkByListing(this, path, options);
    const params = walkParams(path, options, this.#has("entryKinds"));
    const told = await this.#call(requests.fsWalk, path, params, options).catch(
      (error: unknown) => {
        if (isNotThere(error)) return undefined;
        throw error;
      },
    );
    if (told === undefined) return walkByListing(this, path, options);
    if (told.entries.length > 0) return walkResult(path, told);
    const { isDirectory, isSymlink } = await this.getMetadata(path, options);
    if (!isDirectory) throw new FileSystemError("notDirectory", path, osErrorMessage("ENOTDIR"));
    // The original finds nothing behind a root that is a link.
    return isSymlink ? walkByListing(this, path, options) : walkResult(path, told);
  }

  async canonicalize(path: AbsolutePath, options: FileCallOptions = {}): Promise<AbsolutePath> {
    const params = { path: toFileUri(path) };
    const told = await this.#call(requests.fsCanonicalize, path, params, options);
    const real = parseWirePath(told.path);
    if (real === undefined)
      throw new FileSystemError("invalidData", path, "the server's answer is no path");
    return real;
  }

  async rename(
    from: AbsolutePath,
    to: AbsolutePath,
    options: FileChangeOptions = {},
  ): Promise<void> {
    this.#require("rename", from, "renaming");
    const params = { ...endsOf(from, to), ...this.#restriction(to, options) };
    await this.#call(requests.fsRename, from, params, options);
  }

  async remove(
    path: AbsolutePath,
    options: FileChangeOptions & { readonly recursive?: boolean; readonly force?: boolean } = {},
  ): Promise<void> {
    const { recursive = true, force = true } = options;
    const params = { path: toFileUri(path), recursive, force, ...this.#restriction(path, options) };
    await this.#call(requests.fsRemove, path, params, options);
  }

  async copy(
    from: AbsolutePath,
    to: AbsolutePath,
    options: FileChangeOptions & { readonly recursive?: boolean } = {},
  ): Promise<void> {
    const { recursive = false } = options;
    const params = { ...endsOf(from, to), recursive, ...this.#restriction(to, options) };
    await this.#call(requests.fsCopy, from, params, options);
  }

  #restriction(path: AbsolutePath, { sandbox }: FileChangeOptions): SaidSandbox {
    const cwd = parentPath(path) ?? path;
    return sayIntent(sandbox, { ownWords: this.#has("sandboxIntent"), cwd });
  }

  #require(extension: ExtensionName, path: AbsolutePath, what: string): void {
    if (this.#has(extension)) return;
    throw new FileSystemError("unsupported", path, `this exec-server does not offer ${what}`);
  }

  async #call<Definition extends RequestDefinition>(
    definition: Definition,
    path: AbsolutePath,
    params: ParamsOf<Definition>,
    { signal }: FileCallOptions,
  ): Promise<ResultOf<Definition>> {
    signal?.throwIfAborted();
    try {
      return await this.#client.call(definition, params, signal === undefined ? {} : { signal });
    } catch (error) {
      throw explainFile(error, path);
    }
  }
}

function endsOf(from: AbsolutePath, to: AbsolutePath) {
  return { sourcePath: toFileUri(from), destinationPath: toFileUri(to) };
}

function bytesOf(dataBase64: string, path: AbsolutePath): Uint8Array {
  const bytes = decodeBase64(dataBase64);
  if (bytes === undefined)
    throw new FileSystemError("invalidData", path, "the server's answer is not base64");
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The server has no such method. */
function isNotThere(error: unknown): boolean {
  return (
    error instanceof FileSystemError &&
    error.cause instanceof ExecServerError &&
    error.cause.code === ErrorCode.methodNotFound
  );
}
