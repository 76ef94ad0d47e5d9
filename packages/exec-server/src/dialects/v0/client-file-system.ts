import {
  type DirectoryEntry,
  type FileCallOptions,
  type FileChangeOptions,
  type FileMetadata,
  type FileSystem,
  FileSystemError,
  walkByListing,
  type WalkOptions,
  type WalkResult,
  type WriteFileOptions,
} from "@codex/environment";
import {
  type AbsolutePath,
  decodeBase64,
  encodeBase64,
  execServerV0,
  type ParamsOf,
  type RequestDefinition,
  type ResultOf,
} from "@codex/protocol";
import type { ExecServerClient } from "../../client/client.ts";
import { V0FileErrors } from "./file-errors.ts";
import { LastRead } from "./last-read.ts";

/** The seven file calls of v0; ranges and walks are made of them, the rest is refused as `unsupported`. */
export function createV0FileSystem(client: ExecServerClient): FileSystem {
  return new V0FileSystem(client);
}

const { requests } = execServerV0;

/** Listings under way at the same time: one round trip for that many directories. */
const listingsAtOnce = 1024;

class V0FileSystem implements FileSystem {
  readonly #client: ExecServerClient;
  readonly #errors: V0FileErrors;
  readonly #lastRead = new LastRead();

  constructor(client: ExecServerClient) {
    this.#client = client;
    this.#errors = new V0FileErrors(client);
  }

  async readFile(path: AbsolutePath, options: FileCallOptions = {}): Promise<Uint8Array> {
    const { dataBase64 } = await this.#call(requests.fsReadFile, path, { path }, options);
    const bytes = decodeBase64(dataBase64);
    if (bytes === undefined)
      throw new FileSystemError("invalidData", path, "the server's answer is not base64");
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  async readRange(
    path: AbsolutePath,
    range: { readonly offset: number; readonly length: number },
    options: FileCallOptions = {},
  ): Promise<Uint8Array> {
    if ([range.offset, range.length].some((number) => !Number.isSafeInteger(number) || number < 0))
      throw new FileSystemError("invalidInput", path, "offset and length are whole, from 0");
    options.signal?.throwIfAborted();
    const end = range.offset + range.length;
    const bytes = this.#lastRead.take(path, range.offset) ?? (await this.readFile(path, options));
    this.#lastRead.keep(path, bytes, end);
    return bytes.subarray(range.offset, end);
  }

  async writeFile(
    path: AbsolutePath,
    bytes: Uint8Array,
    options: WriteFileOptions = {},
  ): Promise<void> {
    if (options.mode !== undefined) throw unsupported(path, "permission bits");
    if (options.atomic) throw unsupported(path, "an atomic write");
    refuseSandbox(path, options);
    await this.#call(
      requests.fsWriteFile,
      path,
      { path, dataBase64: encodeBase64(bytes) },
      options,
    );
  }

  async createDirectory(
    path: AbsolutePath,
    options: FileChangeOptions & { readonly recursive?: boolean } = {},
  ): Promise<void> {
    refuseSandbox(path, options);
    await this.#call(
      requests.fsCreateDirectory,
      path,
      { path, recursive: options.recursive ?? true },
      options,
    );
  }

  async getMetadata(path: AbsolutePath, options: FileCallOptions = {}): Promise<FileMetadata> {
    const told = await this.#call(requests.fsGetMetadata, path, { path }, options);
    return { ...told, isSymlink: false, size: undefined, mode: undefined };
  }

  async readDirectory(
    path: AbsolutePath,
    options: FileCallOptions = {},
  ): Promise<DirectoryEntry[]> {
    const { entries } = await this.#call(requests.fsReadDirectory, path, { path }, options);
    return entries;
  }

  async walk(path: AbsolutePath, options: WalkOptions & FileCallOptions): Promise<WalkResult> {
    return walkByListing(this, path, { ...options, listingsAtOnce });
  }

  async canonicalize(path: AbsolutePath): Promise<AbsolutePath> {
    throw unsupported(path, "resolving links");
  }

  async rename(from: AbsolutePath): Promise<void> {
    throw unsupported(from, "renaming");
  }

  async remove(
    path: AbsolutePath,
    options: FileChangeOptions & { readonly recursive?: boolean; readonly force?: boolean } = {},
  ): Promise<void> {
    refuseSandbox(path, options);
    const { recursive = true, force = true } = options;
    await this.#call(requests.fsRemove, path, { path, recursive, force }, options);
  }

  async copy(
    from: AbsolutePath,
    to: AbsolutePath,
    options: FileChangeOptions & { readonly recursive?: boolean } = {},
  ): Promise<void> {
    refuseSandbox(to, options);
    const { recursive = false } = options;
    await this.#call(
      requests.fsCopy,
      from,
      { sourcePath: from, destinationPath: to, recursive },
      options,
    );
  }

  async #call<Definition extends RequestDefinition>(
    definition: Definition,
    path: AbsolutePath,
    params: ParamsOf<Definition>,
    { signal }: FileCallOptions,
  ): Promise<ResultOf<Definition>> {
    signal?.throwIfAborted();
    this.#lastRead.forget();
    try {
      return await this.#client.call(definition, params, signal === undefined ? {} : { signal });
    } catch (error) {
      throw await this.#errors.explain(error, path, signal);
    }
  }
}

function refuseSandbox(path: AbsolutePath, { sandbox }: FileChangeOptions): void {
  if (sandbox !== undefined && sandbox.mode !== "danger-full-access")
    throw unsupported(path, `the sandbox mode ${sandbox.mode}`);
}

function unsupported(path: AbsolutePath, what: string): FileSystemError {
  return new FileSystemError("unsupported", path, `exec-server.v0 does not offer ${what}`);
}
