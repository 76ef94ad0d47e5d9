import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { SandboxIntent } from "@codex/protocol";

/** A folder that may be written, and what stays read-only in it. Every path is resolved: no links in it. */
export interface WritableRoot {
  readonly path: string;
  /** There, and bound read-only over the root. */
  readonly protectedPaths: readonly string[];
  /** Not there; covered so that they cannot be made. */
  readonly missingPaths: readonly string[];
}

export interface ResolvedRoots {
  /** Parents before children. */
  readonly roots: readonly WritableRoot[];
  /** Roots that were asked for and are not writable after all, with the reason. */
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
}

/** Names directly below a writable root that decide what later runs do. */
export const protectedNames = [".git", ".codex", ".agents"] as const;

/** Looks at the disk: which folders the intent makes writable here, and what in them stays protected. */
export function resolveWritableRoots(
  intent: SandboxIntent,
  temporary: { readonly tmpdir: string | undefined },
): ResolvedRoots {
  if (intent.mode !== "workspace-write") return { roots: [], refused: [] };
  const wanted = intent.writableRoots.flatMap(realDirectory);
  const shared = [
    ...(intent.includeSlashTmp ? ["/tmp"] : []),
    ...(intent.includeTmpdir && temporary.tmpdir ? [temporary.tmpdir] : []),
  ];
  const named = new Set(wanted);
  const refused: { path: string; reason: string }[] = [];
  const roots = new Map<string, WritableRoot>();
  for (const path of wanted) {
    const link = protectedNames
      .map((name) => join(path, name))
      .find((at) => kindOf(at) === "link" && !named.has(at));
    if (link !== undefined)
      refused.push({ path, reason: `${link} is a symbolic link, which could be replaced` });
    else roots.set(path, protect(path, named));
  }
  for (const path of shared.flatMap(realDirectory)) {
    // Scratch space is shared by everybody on the machine: what is missing there is not made by us.
    if (!roots.has(path)) roots.set(path, { ...protect(path, named), missingPaths: [] });
  }
  return { roots: [...roots.values()].toSorted((a, b) => a.path.length - b.path.length), refused };
}

function protect(root: string, named: ReadonlySet<string>): WritableRoot {
  const protectedPaths: string[] = [];
  const missingPaths: string[] = [];
  for (const path of protectedNames.map((name) => join(root, name))) {
    if (named.has(path)) continue;
    const kind = kindOf(path);
    if (kind === "missing") missingPaths.push(path);
    else if (kind !== "link") protectedPaths.push(path, ...gitDirectory(path, kind));
  }
  return { path: root, protectedPaths, missingPaths };
}

/** A worktree's `.git` is a file that names the folder; that folder is protected too. */
function gitDirectory(path: string, kind: "file" | "directory"): string[] {
  if (kind !== "file") return [];
  const named = /^gitdir: (.+)$/m.exec(readText(path))?.[1];
  return named === undefined ? [] : realDirectory(resolve(dirname(path), named.trim()));
}

function realDirectory(path: string): string[] {
  try {
    return statSync(path).isDirectory() || path.endsWith("/.git") ? [realpathSync(path)] : [];
  } catch {
    return [];
  }
}

function kindOf(path: string): "missing" | "link" | "file" | "directory" {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return "missing";
  if (found.isSymbolicLink()) return "link";
  return found.isDirectory() ? "directory" : "file";
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
