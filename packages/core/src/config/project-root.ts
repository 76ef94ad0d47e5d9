import { existsSync, readFileSync, type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** From the nearest directory upward that holds a marker down to `cwd`; only `cwd` when there is none. A probe that fails is "no". */
export function projectDirectories(cwd: string, markers: readonly string[]): readonly string[] {
  const chain = ancestors(cwd);
  const root = chain.findIndex((directory) =>
    markers.some((marker) => existsSync(join(directory, marker))),
  );
  return root < 0 ? [cwd] : chain.slice(0, root + 1).toReversed();
}

/** The root of the git checkout around `cwd`; for a worktree the main checkout, which its `.git` file points to. */
export function primaryGitRoot(cwd: string): string | undefined {
  for (const directory of ancestors(cwd)) {
    const git = join(directory, ".git");
    const metadata = statIfThere(git);
    if (metadata?.isDirectory() === true) return directory;
    if (metadata !== undefined) return mainCheckout(directory, git);
  }
  return undefined;
}

/** A probe that fails counts as absent. */
function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...ancestors(parent)];
}

function mainCheckout(directory: string, gitFile: string): string {
  const target = /^gitdir:\s*(.+)$/m.exec(readFileSync(gitFile, "utf8"))?.[1];
  if (target === undefined) return directory;
  const worktree = /^(.*)\/\.git\/worktrees\/[^/]+\/?$/.exec(resolve(directory, target.trim()));
  return worktree?.[1] ?? directory;
}
