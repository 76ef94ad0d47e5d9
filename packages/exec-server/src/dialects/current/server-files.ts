import { type DirectoryEntry, type FileSystem, FileSystemError } from "@codex/environment";
import { SplicedResult } from "@codex/jsonrpc";
import {
  type AbsolutePath,
  type CurrentParams,
  type CurrentResult,
  decodeBase64,
  joinPath,
  parseWirePath,
  toAbsolutePath,
  toFileUri,
} from "@codex/protocol";
import type { Session } from "../../server/session.ts";
import type { GrantedExtensions } from "./extensions.ts";
import { intentOf } from "./intent.ts";
import { invalidRequest, readingFile } from "./server-errors.ts";
import { walk } from "./walk.ts";

type Done = Record<string, never>;
type ListedEntry = CurrentResult<"fsReadDirectory">["entries"][number];

/** `fs/*` of the present form over a file system. Calls that look run beside each other; a change keeps its place among them. */
export class CurrentFiles {
  readonly #files: FileSystem;
  readonly #session: Session;
  readonly #extensions: GrantedExtensions;

  constructor(files: FileSystem, session: Session, extensions: GrantedExtensions) {
    this.#files = files;
    this.#session = session;
    this.#extensions = extensions;
  }

  async readFile(params: CurrentParams<"fsReadFile">): Promise<SplicedResult> {
    const bytes = await this.#looking(params, (path) =>
      readingFile(path, this.#extensions.has("errorKinds"), () => this.#files.readFile(path)),
    );
    return new SplicedResult('{"dataBase64":"', bytes, '"}');
  }

  async readRange(params: CurrentParams<"fsReadRange">): Promise<SplicedResult> {
    const { offset, length } = params;
    const bytes = await this.#looking(params, (path) =>
      this.#files.readRange(path, { offset, length }),
    );
    return new SplicedResult('{"dataBase64":"', bytes, '"}');
  }

  async writeFile(params: CurrentParams<"fsWriteFile">): Promise<Done> {
    const { path, dataBase64, mode, atomic } = params;
    this.#extensions.check([
      ["mode", mode, "fileMode"],
      ["atomic", atomic, "atomicWrite"],
    ]);
    const bytes = decodeBase64(dataBase64);
    if (bytes === undefined)
      throw invalidRequest("fs/writeFile requires valid base64 dataBase64: Invalid padding");
    const sandbox = intentOf(params, this.#extensions);
    const how = { sandbox, ...(mode !== undefined && { mode }), atomic: atomic ?? false };
    return this.#changing(() => this.#files.writeFile(toPath(path), bytes, how));
  }

  async createDirectory(params: CurrentParams<"fsCreateDirectory">): Promise<Done> {
    const sandbox = intentOf(params, this.#extensions);
    const how = { recursive: params.recursive ?? true, sandbox };
    return this.#changing(() => this.#files.createDirectory(toPath(params.path), how));
  }

  async getMetadata(
    params: CurrentParams<"fsGetMetadata">,
  ): Promise<CurrentResult<"fsGetMetadata">> {
    const told = await this.#looking(params, async (path) => {
      if (params.followSymlinks === false && (await this.#files.canonicalize(path)) !== path)
        throw invalidRequest("path contains a symbolic link");
      return this.#files.getMetadata(path);
    });
    const { isDirectory, isFile, isSymlink, size = 0, createdAtMs, modifiedAtMs, mode } = told;
    return {
      isDirectory,
      isFile,
      isSymlink,
      size,
      createdAtMs,
      modifiedAtMs,
      ...(mode !== undefined && this.#extensions.has("fileMode") && { mode }),
    };
  }

  async readDirectory(
    params: CurrentParams<"fsReadDirectory">,
  ): Promise<CurrentResult<"fsReadDirectory">> {
    const { everyEntry } = params;
    this.#extensions.check([["everyEntry", everyEntry, "entryKinds"]]);
    return this.#looking(params, async (path) => {
      const listing = await this.#files.readDirectory(path);
      if (everyEntry === true) return { entries: listing };
      const links = listing.filter(({ isSymlink }) => isSymlink);
      const targets = await Promise.all(links.map((link) => this.#target(path, link)));
      const plain = listing.filter(({ isSymlink }) => !isSymlink);
      return { entries: [...plain.map(described), ...targets.flat()] };
    });
  }

  async remove(params: CurrentParams<"fsRemove">): Promise<Done> {
    const { path, recursive, force } = params;
    const sandbox = intentOf(params, this.#extensions);
    const how = { recursive: recursive ?? true, force: force ?? true, sandbox };
    return this.#changing(() => this.#files.remove(toPath(path), how));
  }

  async copy(params: CurrentParams<"fsCopy">): Promise<Done> {
    const { sourcePath, destinationPath, recursive } = params;
    const sandbox = intentOf(params, this.#extensions);
    return this.#changing(() =>
      this.#files.copy(toPath(sourcePath), toPath(destinationPath), { recursive, sandbox }),
    );
  }

  async rename(params: CurrentParams<"fsRename">): Promise<Done> {
    const { sourcePath, destinationPath } = params;
    const sandbox = intentOf(params, this.#extensions);
    return this.#changing(() =>
      this.#files.rename(toPath(sourcePath), toPath(destinationPath), { sandbox }),
    );
  }

  async canonicalize(
    params: CurrentParams<"fsCanonicalize">,
  ): Promise<CurrentResult<"fsCanonicalize">> {
    const real = await this.#looking(params, (path) => this.#files.canonicalize(path));
    return { path: toFileUri(real) };
  }

  async walk(params: CurrentParams<"fsWalk">): Promise<CurrentResult<"fsWalk">> {
    const { options } = params;
    this.#extensions.check([
      ["everyEntry", options.everyEntry, "entryKinds"],
      ["metadata", options.metadata, "walkMetadata"],
    ]);
    return this.#looking(params, (path) => walk(this.#files, path, options));
  }

  /** Checks that the restriction is one that can be kept: reading is allowed by all that can. */
  #looking<T>(
    params: {
      readonly path: string;
      readonly sandbox?: Record<string, unknown> | null | undefined;
    },
    look: (path: AbsolutePath) => Promise<T>,
  ): Promise<T> {
    intentOf({ sandbox: params.sandbox }, this.#extensions);
    return this.#session.order.shared(() => look(toPath(params.path)));
  }

  async #changing(change: () => Promise<void>): Promise<Done> {
    await this.#session.order.exclusive(change);
    return {};
  }

  /** What a link leads to, as the original lists it: one to nowhere is left out. */
  async #target(directory: AbsolutePath, { fileName }: DirectoryEntry): Promise<ListedEntry[]> {
    try {
      const { isDirectory, isFile } = await this.#files.getMetadata(joinPath(directory, fileName));
      return [{ fileName, isDirectory, isFile }];
    } catch (error) {
      if (error instanceof FileSystemError && error.kind !== "lost") return [];
      throw error;
    }
  }
}

function described({ fileName, isDirectory, isFile }: DirectoryEntry): ListedEntry {
  return { fileName, isDirectory, isFile };
}

/** The schema has checked it. */
export function toPath(text: string): AbsolutePath {
  return parseWirePath(text) ?? toAbsolutePath(text);
}
