import {
  type AbsolutePath,
  isInside,
  joinPath,
  parseAbsolutePath,
  type SandboxIntent,
} from "@codex/protocol";
import { FileSystemError } from "./file-system-error.ts";

/** `content`: a file or directory is made or filled. `entry`: the name itself goes or is replaced (remove, rename), and all below it with it. */
export type ChangeKind = "content" | "entry";

/** Where a run may write. All paths are real: no link in them. */
export interface WriteRules {
  readonly writableRoots: readonly AbsolutePath[];
  /** Not writable although inside a root, whether they exist or not. */
  readonly protectedPaths: readonly AbsolutePath[];
}

/** What the machine that holds the files says about its paths. */
export interface MachineFacts {
  /** `$TMPDIR`, when set. */
  readonly temporaryDirectory: AbsolutePath | undefined;
  /** Where writing to a path would land, links resolved; undefined when that cannot be told. */
  realTarget(path: AbsolutePath): AbsolutePath | undefined;
  /** The git directory that a `.git` file at this path points to. */
  gitDirectoryOf(path: AbsolutePath): AbsolutePath | undefined;
}

/** Names directly under every writable root that stay read-only, missing ones too. */
export const protectedNames = [".git", ".codex", ".agents"] as const;

/**
 * What an intent means on a machine; undefined when it restricts nothing. A root that is not absolute or cannot be
 * resolved makes nothing writable. A protected path that is itself a listed root is not protected.
 */
export function writeRules(intent: SandboxIntent, machine: MachineFacts): WriteRules | undefined {
  if (intent.mode === "danger-full-access") return undefined;
  if (intent.mode === "read-only") return { writableRoots: [], protectedPaths: [] };
  const writableRoots = listedRoots(intent, machine).flatMap((root) => {
    const path = parseAbsolutePath(root);
    return (path && machine.realTarget(path)) ?? [];
  });
  const byName = writableRoots.flatMap((root) =>
    protectedNames.map((name) => joinPath(root, name)),
  );
  const behind = byName.flatMap((path) => [
    machine.realTarget(path) ?? [],
    machine.gitDirectoryOf(path) ?? [],
  ]);
  const protectedPaths = new Set([...byName, ...behind.flat()]);
  for (const root of writableRoots) protectedPaths.delete(root);
  return { writableRoots, protectedPaths: [...protectedPaths] };
}

function listedRoots(
  intent: Extract<SandboxIntent, { mode: "workspace-write" }>,
  { temporaryDirectory }: MachineFacts,
): readonly string[] {
  return [
    ...intent.writableRoots,
    ...(intent.includeSlashTmp ? ["/tmp"] : []),
    ...(intent.includeTmpdir && temporaryDirectory !== undefined ? [temporaryDirectory] : []),
  ];
}

/**
 * Why `path` (real, link-free) may not be changed, or undefined when it may. Of the roots and protected paths that
 * hold `path` the deepest decides. A root, and whatever holds a root or a protected path, cannot be removed or renamed.
 */
export function checkWritable(
  path: AbsolutePath,
  change: ChangeKind,
  rules: WriteRules,
): "outside" | "protected" | undefined {
  const root = deepest(path, rules.writableRoots);
  if (root === undefined) return "outside";
  const guarded = deepest(path, rules.protectedPaths);
  if (guarded !== undefined && guarded.length > root.length) return "protected";
  if (change === "content") return undefined;
  const held = [...rules.writableRoots, ...rules.protectedPaths].some((kept) =>
    isInside(kept, path),
  );
  return held ? "protected" : undefined;
}

/** The refusal of a change. */
export function denial(path: AbsolutePath, reason: "outside" | "protected"): FileSystemError {
  const why = reason === "protected" ? "it is protected" : "it is outside the writable roots";
  const message = `the sandbox does not allow changing ${path}: ${why}`;
  return new FileSystemError("sandboxDenied", path, message);
}

function deepest(path: AbsolutePath, holders: readonly AbsolutePath[]): AbsolutePath | undefined {
  let best: AbsolutePath | undefined;
  for (const holder of holders)
    if (isInside(path, holder) && (best === undefined || holder.length > best.length))
      best = holder;
  return best;
}
