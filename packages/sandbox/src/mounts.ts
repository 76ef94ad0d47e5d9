import type { AbsolutePath, WriteRules } from "@codex/protocol";

/** What covers a path in the sandbox: itself, writable or not, or an empty folder that nothing can be put in. */
export interface Mount {
  readonly path: AbsolutePath;
  readonly access: "write" | "read" | "nothing";
}

/** The mounts over a read-only world that amount to `rules`, in order: later ones win, so what lies deeper decides. */
export function mountsFor(
  { writableRoots, protectedPaths }: WriteRules,
  isThere: (path: AbsolutePath) => boolean,
): Mount[] {
  const mounts: Mount[] = [
    ...writableRoots.map((path) => ({ path, access: "write" as const })),
    ...protectedPaths.map((path) => ({
      path,
      access: isThere(path) ? ("read" as const) : ("nothing" as const),
    })),
  ];
  return mounts.toSorted((a, b) => a.path.length - b.path.length);
}
