import {
  type ChangeKind,
  checkWritable,
  denial,
  gitDirectoryIn,
  FileSystemError,
} from "@codex/environment";
import { type AbsolutePath, type SandboxIntent, writeRules } from "@codex/protocol";
import type { MemoryPlace, MemoryTree } from "./memory-tree.ts";

export interface MemoryChange {
  readonly change: ChangeKind;
  readonly sandbox: SandboxIntent | undefined;
  readonly temporaryDirectory: AbsolutePath | undefined;
}

/** The same policy as on a disk, over the tree's own facts. */
export function checkMemoryChange(tree: MemoryTree, place: MemoryPlace, how: MemoryChange): void {
  if (how.sandbox === undefined) return;
  const rules = writeRules(how.sandbox, {
    temporaryDirectory: how.temporaryDirectory,
    realPath: (path) => known(() => tree.get(path, true).real),
    kindOf: (path) => known(() => tree.get(path, false).node.kind),
    gitDirectoryOf: (path) =>
      known(() => {
        const { node } = tree.get(path, true);
        if (node.kind !== "file") return undefined;
        const directory = gitDirectoryIn(path, new TextDecoder().decode(node.bytes));
        return directory && tree.get(directory, true).real;
      }),
  });
  const reason = rules && checkWritable(place.real, how.change, rules);
  if (reason !== undefined) throw denial(place.real, reason);
}

function known<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  }
}
