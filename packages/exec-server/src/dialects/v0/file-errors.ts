import { type DirectoryEntry, FileSystemError, type FileSystemErrorKind } from "@codex/environment";
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
  readonly #listings = new Map<AbsolutePath, Promise<readonly DirectoryEntry[] | undefined>>();

  constructor(client: ExecServerClient) {
    this.#client = client;
  }

  async explain(
    error: unknown,
    path: AbsolutePath,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    if (isLostConnection(error)) return lostFile(error, path);
    if (!(error instanceof ExecServerError)) return error;
    try {
      const kind = toldFileKind(error) ?? (await this.#guessKind(error, path));
      if (signal?.aborted) return signal.reason;
      return new FileSystemError(kind, path, serverText(error), { cause: error });
    } catch (lost) {
      return isLostConnection(lost) ? lostFile(lost, path) : lost;
    }
  }

  /** Rejects when the connection is lost meanwhile. */
  async #guessKind(error: ExecServerError, path: AbsolutePath): Promise<FileSystemErrorKind> {
    if (error.kind !== "server") return "other";
    if (error.code === ErrorCode.notFound) return "notFound";
    if (error.code !== ErrorCode.internalError) return "invalidInput";
    return this.#whatIsWrong(path, "the path");
  }

  /** A link counts as missing: it is there, so what failed is what it leads to. */
  async #whatIsWrong(
    path: AbsolutePath,
    place: "the path" | "above it",
  ): Promise<FileSystemErrorKind> {
    const parent = parentPath(path);
    if (parent === undefined) return "other";
    const entries = await this.#list(parent);
    if (entries === undefined) return this.#whatIsWrong(parent, "above it");
    const entry = entries.find(({ fileName }) => fileName === baseName(path));
    if (entry === undefined || entry.isSymlink) return "notFound";
    return place === "above it" && entry.isFile ? "notDirectory" : "other";
  }

  /** Undefined when it cannot be listed. Rejects only when the connection is lost. */
  #list(directory: AbsolutePath): Promise<readonly DirectoryEntry[] | undefined> {
    const underWay = this.#listings.get(directory);
    if (underWay !== undefined) return underWay;
    const listing = this.#client
      .call(execServerV0.requests.fsReadDirectory, { path: directory })
      .then(
        ({ entries }) => entries,
        (error: unknown) => {
          if (isLostConnection(error)) throw error;
          return undefined;
        },
      )
      .finally(() => this.#listings.delete(directory));
    this.#listings.set(directory, listing);
    return listing;
  }
}
