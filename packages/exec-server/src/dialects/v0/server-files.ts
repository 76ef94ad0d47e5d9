import type { FileSystem } from "@codex/environment";
import { SplicedResult } from "@codex/jsonrpc";
import {
  type AbsolutePath,
  decodeBase64,
  type FsCopyParams,
  type FsCreateDirectoryParams,
  type FsGetMetadataParams,
  type FsGetMetadataResponse,
  type FsReadDirectoryParams,
  type FsReadDirectoryResponse,
  type FsReadFileParams,
  type FsRemoveParams,
  type FsWriteFileParams,
  parseWirePath,
  toAbsolutePath,
} from "@codex/protocol";
import type { CallOrder } from "../../server/call-order.ts";
import { invalidRequest } from "./server-errors.ts";

type Done = Record<string, never>;

/** `fs/*` of v0 over a file system. Calls that look run beside each other; a change keeps its place among them. */
export class V0Files {
  readonly #files: FileSystem;
  readonly #order: CallOrder;

  constructor(files: FileSystem, order: CallOrder) {
    this.#files = files;
    this.#order = order;
  }

  async readFile({ path }: FsReadFileParams): Promise<SplicedResult> {
    const bytes = await this.#order.shared(() => this.#files.readFile(toPath(path)));
    return new SplicedResult('{"dataBase64":"', bytes, '"}');
  }

  async writeFile({ path, dataBase64 }: FsWriteFileParams): Promise<Done> {
    const bytes = decodeBase64(dataBase64);
    if (bytes === undefined)
      throw invalidRequest(
        "fs/writeFile requires valid base64 dataBase64: not padded standard base64",
      );
    await this.#order.exclusive(() => this.#files.writeFile(toPath(path), bytes));
    return {};
  }

  async createDirectory(params: FsCreateDirectoryParams): Promise<Done> {
    const recursive = params.recursive ?? true;
    await this.#order.exclusive(() =>
      this.#files.createDirectory(toPath(params.path), { recursive }),
    );
    return {};
  }

  async getMetadata({ path }: FsGetMetadataParams): Promise<FsGetMetadataResponse> {
    const { isDirectory, isFile, createdAtMs, modifiedAtMs } = await this.#order.shared(() =>
      this.#files.getMetadata(toPath(path)),
    );
    return { isDirectory, isFile, createdAtMs, modifiedAtMs };
  }

  async readDirectory({ path }: FsReadDirectoryParams): Promise<FsReadDirectoryResponse> {
    const entries = await this.#order.shared(() => this.#files.readDirectory(toPath(path)));
    return {
      entries: entries.map(({ fileName, isDirectory, isFile, isSymlink }) => ({
        fileName,
        isDirectory,
        isFile,
        isSymlink,
      })),
    };
  }

  async remove(params: FsRemoveParams): Promise<Done> {
    const options = { recursive: params.recursive ?? true, force: params.force ?? true };
    await this.#order.exclusive(() => this.#files.remove(toPath(params.path), options));
    return {};
  }

  async copy({ sourcePath, destinationPath, recursive }: FsCopyParams): Promise<Done> {
    await this.#order.exclusive(() =>
      this.#files.copy(toPath(sourcePath), toPath(destinationPath), { recursive }),
    );
    return {};
  }
}

/** The schema has checked it. */
function toPath(text: string): AbsolutePath {
  return parseWirePath(text) ?? toAbsolutePath(text);
}
