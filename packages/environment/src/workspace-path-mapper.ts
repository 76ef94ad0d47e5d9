import { type AbsolutePath, joinPath, relativePath } from "@codex/protocol";

/** One folder, as this machine and as the environment spell it. */
export interface WorkspaceRoots {
  /** The folder here; where links make more than one spelling, all of them, the one to show first. */
  readonly local: readonly [AbsolutePath, ...AbsolutePath[]];
  /** The folder there, likewise. */
  readonly environment: readonly [AbsolutePath, ...AbsolutePath[]];
}

/** Translates paths of the workspace; every other path is the same on both sides. */
export interface WorkspacePathMapper {
  /** The environment's spelling of a path. One that is already in that spelling stays as it is. */
  toEnvironment(path: AbsolutePath): AbsolutePath;
  /** This machine's spelling of a path. One that is already in that spelling stays as it is. */
  toLocal(path: AbsolutePath): AbsolutePath;
}

/**
 * Moves paths from below one root to below the other, by whole segments of normalised paths: `/w1x` is not under
 * `/w1`, and no `..` is left to lead out. A path that lies under roots of both sides is taken to be in the spelling of
 * the deeper one, so a path out of a listing can be used again.
 */
export function createWorkspacePathMapper(roots: WorkspaceRoots): WorkspacePathMapper {
  return {
    toEnvironment: (path) => rebase(path, roots.local, roots.environment),
    toLocal: (path) => rebase(path, roots.environment, roots.local),
  };
}

type Roots = WorkspaceRoots["local"];

function rebase(path: AbsolutePath, from: Roots, to: Roots): AbsolutePath {
  const source = deepestHolder(path, from);
  const target = deepestHolder(path, to);
  if (source === undefined) return path;
  if (target !== undefined && target.length >= source.length) return path;
  return joinPath(to[0], `./${relativePath(path, source)}`);
}

function deepestHolder(path: AbsolutePath, roots: Roots): AbsolutePath | undefined {
  return roots
    .filter((root) => relativePath(path, root) !== undefined)
    .toSorted((a, b) => b.length - a.length)[0];
}
