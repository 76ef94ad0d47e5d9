import { FileSystemError, type FileSystemErrorKind } from "@codex/environment";
import { type AbsolutePath, baseName, ErrorCode, execServerV0, parentPath } from "@codex/protocol";
import type { ExecServerClient } from "../../client/client.ts";
import { ExecServerError } from "../../client/exec-server-error.ts";
import { isLostConnection, lostFile } from "../../client/lost-error.ts";
import { serverText, toldFileKind } from "./error-kind.ts";

/**
 * What a refused file call means. v0 has no code for "not found", so a server that does not tell the kind is asked
 * for the listing of the parent: questions about one directory that are under way together are one question.
 */
export class V0FileErrors {
  readonly #client: ExecServerClient;
  readonly #listings = new Map<AbsolutePath, Promise<ReadonlySet<string> | undefined>>();

  constructor(client: ExecServerClient) {
    this.#client = client;
  }

  async explain(
    error: unknown,
    path: AbsolutePath,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    if (isLostConnection(error)) return lostFile(error, path);
    if (!(error instanceof ExecServerError) || error.kind !== "server") return error;
    const kind = toldFileKind(error) ?? (await this.#guessKind(error, path));
    signal?.throwIfAborted();
    return new FileSystemError(kind, path, serverText(error), { cause: error });
  }

  async #guessKind(error: ExecServerError, path: AbsolutePath): Promise<FileSystemErrorKind> {
    if (error.code === ErrorCode.notFound) return "notFound";
    if (error.code === ErrorCode.invalidRequest || error.code === ErrorCode.invalidParams)
      return "invalidInput";
    return (await this.#isMissing(path)) ? "notFound" : "other";
  }

  async #isMissing(path: AbsolutePath): Promise<boolean> {
    const parent = parentPath(path);
    if (parent === undefined) return false;
    const entries = await this.#list(parent);
    if (entries !== undefined) return !entries.has(baseName(path));
    return this.#isMissing(parent);
  }

  /** Names of entries that are no links: a link that is there may lead nowhere. Undefined when it cannot be listed. */
  #list(directory: AbsolutePath): Promise<ReadonlySet<string> | undefined> {
    const underWay = this.#listings.get(directory);
    if (underWay !== undefined) return underWay;
    const listing = this.#client
      .call(execServerV0.requests.fsReadDirectory, { path: directory })
      .then(
        ({ entries }) =>
          new Set(entries.filter((entry) => !entry.isSymlink).map((entry) => entry.fileName)),
        () => undefined,
      )
      .finally(() => this.#listings.delete(directory));
    this.#listings.set(directory, listing);
    return listing;
  }
}
