import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { type AbsolutePath, joinPath, type MachineFacts, parentPath } from "@codex/protocol";

/** A `.git` file holds one path; anything larger is not one. */
const maxPointerBytes = 16 * 1024;

/** The facts of this machine, read when asked. */
export function localMachineFacts(temporaryDirectory: AbsolutePath | undefined): MachineFacts {
  return {
    temporaryDirectory,
    realPath: (path) => known(() => realPath(path)),
    kindOf: (path) => known(() => kindOf(path)),
    gitDirectoryOf: (path) =>
      known(() => {
        const stats = statSync(path);
        if (!stats.isFile() || stats.size > maxPointerBytes) return undefined;
        const directory = gitDirectoryIn(path, readFileSync(path, "utf8"));
        return directory && realPath(directory);
      }),
  };
}

/** The directory that the text of a `.git` file at `path` names, if it is such a file. */
export function gitDirectoryIn(path: AbsolutePath, text: string): AbsolutePath | undefined {
  const pointer = /^gitdir: ([^\0\n]+)\n?/.exec(text)?.[1];
  return pointer === undefined ? undefined : joinPath(parentPath(path) ?? path, pointer);
}

function realPath(path: AbsolutePath): AbsolutePath {
  return realpathSync.native(path) as AbsolutePath;
}

function kindOf(path: AbsolutePath): ReturnType<MachineFacts["kindOf"]> {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return "link";
  return stats.isDirectory() ? "directory" : "file";
}

/** What cannot be told (missing, no access, a directory) is undefined. */
function known<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
