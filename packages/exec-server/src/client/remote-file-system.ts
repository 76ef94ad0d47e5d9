import { type FileChangeOptions, type FileSystem, FileSystemError } from "@codex/environment";
import type { SandboxIntent } from "@codex/protocol";
import { withoutBound } from "./bound-intent.ts";
import { isLostConnection, lostFile } from "./lost-error.ts";

export interface RemoteFileSystemOptions {
  readonly name: string;
  readonly boundIntent: SandboxIntent | undefined;
}

/** A dialect's files under an environment's name: every failure says where it happened. */
export function createRemoteFileSystem(
  files: FileSystem,
  { name, boundIntent }: RemoteFileSystemOptions,
): FileSystem {
  const named = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call;
    } catch (error) {
      throw error instanceof FileSystemError ? namedFileError(error, name) : error;
    }
  };
  const bound = <Options extends FileChangeOptions>(
    options: Options | undefined,
  ): Options | undefined =>
    options?.sandbox === undefined
      ? options
      : { ...options, sandbox: withoutBound(options.sandbox, boundIntent) };
  return {
    readFile: (path, options) => named(files.readFile(path, options)),
    readRange: (path, range, options) => named(files.readRange(path, range, options)),
    writeFile: (path, bytes, options) => named(files.writeFile(path, bytes, bound(options))),
    createDirectory: (path, options) => named(files.createDirectory(path, bound(options))),
    getMetadata: (path, options) => named(files.getMetadata(path, options)),
    readDirectory: (path, options) => named(files.readDirectory(path, options)),
    walk: (path, options) => named(files.walk(path, options)),
    canonicalize: (path, options) => named(files.canonicalize(path, options)),
    rename: (from, to, options) => named(files.rename(from, to, bound(options))),
    remove: (path, options) => named(files.remove(path, bound(options))),
    copy: (from, to, options) => named(files.copy(from, to, bound(options))),
  };
}

function namedFileError({ kind, path, message, cause }: FileSystemError, name: string) {
  if (kind === "lost" && isLostConnection(cause)) return lostFile(cause, path, name);
  const text = kind === "unsupported" ? `environment \`${name}\`: ${message}` : message;
  return new FileSystemError(kind, path, text, { cause, environment: name });
}
