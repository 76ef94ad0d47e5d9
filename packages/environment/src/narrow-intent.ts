import { joinPath, parseAbsolutePath, protectedNames, type SandboxIntent } from "@codex/protocol";
import { checkWritable } from "./write-policy.ts";

/**
 * What both intents allow. For an executor with an upper bound of its own: a start that asks for more gets the bound,
 * never the wish. Roots are compared as they are spelled, normalised.
 */
export function narrowIntent(asked: SandboxIntent, bound: SandboxIntent): SandboxIntent {
  if (bound.mode === "danger-full-access") return asked;
  if (asked.mode === "danger-full-access") return bound;
  const networkAccess = asked.networkAccess && bound.networkAccess;
  if (asked.mode === "read-only" || bound.mode === "read-only")
    return { mode: "read-only", networkAccess };
  return {
    mode: "workspace-write",
    writableRoots: [
      ...new Set([
        ...asked.writableRoots.filter((root) => isWritableUnder(root, bound.writableRoots)),
        ...bound.writableRoots.filter((root) => isWritableUnder(root, asked.writableRoots)),
      ]),
    ],
    includeSlashTmp: asked.includeSlashTmp && bound.includeSlashTmp,
    includeTmpdir: asked.includeTmpdir && bound.includeTmpdir,
    networkAccess,
  };
}

function isWritableUnder(root: string, roots: readonly string[]): boolean {
  const path = parseAbsolutePath(root);
  const writableRoots = roots.flatMap((text) => parseAbsolutePath(text) ?? []);
  if (path === undefined) return false;
  const protectedPaths = writableRoots
    .flatMap((holder) => protectedNames.map((name) => joinPath(holder, name)))
    .filter((kept) => !writableRoots.includes(kept));
  return checkWritable(path, "content", { writableRoots, protectedPaths }) === undefined;
}
