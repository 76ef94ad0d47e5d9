import { type AbsolutePath, parentPath, type WriteRules } from "@codex/protocol";

/** What covers a path in the sandbox: itself, writable or not, or an empty directory that has to be made for it. */
export interface Mount {
  readonly path: AbsolutePath;
  readonly access: "write" | "read" | "nothing";
}

/** The mounts over a read-only world that amount to `rules`, in order: later ones win, so what lies deeper decides. */
export function mountsFor(
  { writableRoots, protectedPaths }: WriteRules,
  isThere: (path: AbsolutePath) => boolean,
): Mount[] {
  const mounts = new Map<AbsolutePath, Mount>();
  for (const path of writableRoots) mounts.set(path, { path, access: "write" });
  for (const path of protectedPaths) {
    const mount = coverFor(path, isThere);
    mounts.set(mount.path, mount);
  }
  return [...mounts.values()].toSorted((a, b) => a.path.length - b.path.length);
}

/** A path whose folder is missing is covered with that folder: nothing has to be made for it then. */
function coverFor(path: AbsolutePath, isThere: (path: AbsolutePath) => boolean): Mount {
  if (isThere(path)) return { path, access: "read" };
  const parent = parentPath(path);
  return parent === undefined || isThere(parent)
    ? { path, access: "nothing" }
    : coverFor(parent, isThere);
}
