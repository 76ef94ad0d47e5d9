import type { FileSystem } from "@codex/environment";

/** What a slow link would feel. */
export interface FileCallCount {
  /** Every call in the order it was made, such as `getMetadata /w/.git`. */
  readonly calls: readonly string[];
  /** The longest chain of calls of which each waited for an answer to the one before; calls made together are one trip. */
  readonly roundTrips: number;
}

export interface CountingFileSystem extends FileSystem {
  /** The count since the start or the last reset. */
  count(): FileCallCount;
  reset(): void;
}

/** Passes every call on and counts. Answers arrive in a later turn of the event loop, as from a far side. */
export function createCountingFileSystem(inner: FileSystem): CountingFileSystem {
  let calls: string[] = [];
  let answered = 0;
  let roundTrips = 0;
  const counted = async <T>(name: string, path: string, call: () => Promise<T>): Promise<T> => {
    const trip = answered + 1;
    calls.push(`${name} ${path}`);
    roundTrips = Math.max(roundTrips, trip);
    try {
      return await call();
    } finally {
      await new Promise((resolve) => setImmediate(resolve));
      answered = Math.max(answered, trip);
    }
  };
  return {
    count: () => ({ calls, roundTrips }),
    reset: () => {
      calls = [];
      answered = 0;
      roundTrips = 0;
    },
    readFile: (path, ...rest) => counted("readFile", path, () => inner.readFile(path, ...rest)),
    readRange: (path, ...rest) => counted("readRange", path, () => inner.readRange(path, ...rest)),
    writeFile: (path, ...rest) => counted("writeFile", path, () => inner.writeFile(path, ...rest)),
    createDirectory: (path, ...rest) =>
      counted("createDirectory", path, () => inner.createDirectory(path, ...rest)),
    getMetadata: (path, ...rest) =>
      counted("getMetadata", path, () => inner.getMetadata(path, ...rest)),
    readDirectory: (path, ...rest) =>
      counted("readDirectory", path, () => inner.readDirectory(path, ...rest)),
    walk: (path, ...rest) => counted("walk", path, () => inner.walk(path, ...rest)),
    canonicalize: (path, ...rest) =>
      counted("canonicalize", path, () => inner.canonicalize(path, ...rest)),
    rename: (path, ...rest) => counted("rename", path, () => inner.rename(path, ...rest)),
    remove: (path, ...rest) => counted("remove", path, () => inner.remove(path, ...rest)),
    copy: (path, ...rest) => counted("copy", path, () => inner.copy(path, ...rest)),
  };
}
