import {
  type AbsolutePath,
  joinPath,
  parseAbsolutePath,
  protectedNames,
  type SandboxIntent,
} from "@codex/protocol";
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
  const readOnlyPaths = [...(asked.readOnlyPaths ?? []), ...(bound.readOnlyPaths ?? [])];
  return {
    mode: "workspace-write",
    writableRoots: [
      ...new Set([
        ...asked.writableRoots.filter((root) => isWritableUnder(root, bound)),
        ...bound.writableRoots.filter((root) => isWritableUnder(root, asked)),
      ]),
    ],
    includeSlashTmp: asked.includeSlashTmp && bound.includeSlashTmp,
    includeTmpdir: asked.includeTmpdir && bound.includeTmpdir,
    networkAccess,
    ...(readOnlyPaths.length > 0 && { readOnlyPaths: [...new Set(readOnlyPaths)] }),
  };
}

type WorkspaceWrite = Extract<SandboxIntent, { readonly mode: "workspace-write" }>;

function isWritableUnder(root: string, intent: WorkspaceWrite): boolean {
  const path = parseAbsolutePath(root);
  const writableRoots = absolute(intent.writableRoots);
  if (path === undefined) return false;
  const protectedPaths = [
    ...writableRoots.flatMap((holder) => protectedNames.map((name) => joinPath(holder, name))),
    ...absolute(intent.readOnlyPaths ?? []),
  ].filter((kept) => !writableRoots.includes(kept));
  return checkWritable(path, "content", { writableRoots, protectedPaths }) === undefined;
}

function absolute(paths: readonly string[]): AbsolutePath[] {
  return paths.flatMap((text) => parseAbsolutePath(text) ?? []);
}
