import {
  type AbsolutePath,
  baseName,
  isInside,
  joinPath,
  parentPath,
  parseAbsolutePath,
} from "./absolute-path.ts";
import type { SandboxIntent } from "./sandbox-intent.ts";

/** Names directly under a writable root that decide what later runs do: they stay read-only, missing ones too. */
export const protectedNames = [".git", ".codex", ".agents"] as const;

/** Where a run may write. Of the roots and protected paths that hold a path the deepest decides. All are real: no link in them. */
export interface WriteRules {
  readonly writableRoots: readonly AbsolutePath[];
  /** Not writable although inside a root, whether they exist or not. */
  readonly protectedPaths: readonly AbsolutePath[];
}

/** What the machine that does the work says about its paths; undefined where nothing is there or it cannot be told. */
export interface MachineFacts {
  /** `$TMPDIR`, when set. */
  readonly temporaryDirectory: AbsolutePath | undefined;
  /** Where a path leads, links resolved. */
  realPath(path: AbsolutePath): AbsolutePath | undefined;
  /** What the entry itself is. */
  kindOf(path: AbsolutePath): "directory" | "file" | "link" | undefined;
  /** The real git directory that a `.git` file at this path points to. */
  gitDirectoryOf(path: AbsolutePath): AbsolutePath | undefined;
}

/**
 * What an intent means on a machine, for file calls and commands alike; undefined when it restricts nothing.
 *
 * A root that is missing or not absolute makes nothing writable, and neither does one with a symbolic link under a
 * protected name: a command could put another link in its place. A protected path that is listed as a root is not
 * protected. `/tmp` and `$TMPDIR` belong to everybody, so a protected name that is missing there may be made. The
 * intent's own read-only paths are as the protected names.
 */
export function writeRules(intent: SandboxIntent, machine: MachineFacts): WriteRules | undefined {
  if (intent.mode === "danger-full-access") return undefined;
  if (intent.mode === "read-only") return { writableRoots: [], protectedPaths: [] };
  const wanted = realPaths(intent.writableRoots, machine);
  const all = new Set([...wanted, ...realPaths(scratch(intent, machine), machine)]);
  const readOnly = entryPaths(intent.readOnlyPaths ?? [], machine);
  const kept: Kept = { roots: all, readOnly, machine };
  const writableRoots = [...all].filter((root) => !hasLinkedName(root, kept));
  const protectedPaths = writableRoots.flatMap((root) =>
    protectedIn(root, kept).filter(
      (path) => wanted.includes(root) || machine.kindOf(path) !== undefined,
    ),
  );
  return { writableRoots, protectedPaths: [...new Set(protectedPaths)] };
}

type WorkspaceWrite = Extract<SandboxIntent, { readonly mode: "workspace-write" }>;

function scratch(intent: WorkspaceWrite, { temporaryDirectory }: MachineFacts): readonly string[] {
  return [
    ...(intent.includeSlashTmp ? ["/tmp"] : []),
    ...(intent.includeTmpdir && temporaryDirectory !== undefined ? [temporaryDirectory] : []),
  ];
}

function realPaths(roots: readonly string[], machine: MachineFacts): AbsolutePath[] {
  return roots.flatMap((root) => {
    const path = parseAbsolutePath(root);
    return (path && machine.realPath(path)) ?? [];
  });
}

/** Links resolved up to the entry itself, which need not be there. */
function entryPaths(paths: readonly string[], machine: MachineFacts): AbsolutePath[] {
  return paths.flatMap((text) => {
    const path = parseAbsolutePath(text);
    const parent = path && parentPath(path);
    if (path === undefined || parent === undefined) return [];
    return joinPath(machine.realPath(parent) ?? parent, baseName(path));
  });
}

interface Kept {
  readonly roots: ReadonlySet<AbsolutePath>;
  readonly readOnly: readonly AbsolutePath[];
  readonly machine: MachineFacts;
}

function hasLinkedName(root: AbsolutePath, kept: Kept): boolean {
  return namesIn(root, kept).some((path) => kept.machine.kindOf(path) === "link");
}

function protectedIn(root: AbsolutePath, kept: Kept): AbsolutePath[] {
  return namesIn(root, kept)
    .flatMap((path) => [path, kept.machine.gitDirectoryOf(path) ?? []].flat())
    .filter((path) => !kept.roots.has(path));
}

/** The protected names of a root and what is read-only in it, as paths, without those that somebody listed as roots. */
function namesIn(root: AbsolutePath, { roots, readOnly, machine }: Kept): AbsolutePath[] {
  if (machine.kindOf(root) !== "directory") return [];
  const names = isProtectedName(baseName(root)) ? [] : protectedNames;
  return [
    ...names.map((name) => joinPath(root, name)),
    ...readOnly.filter((path) => path !== root && isInside(path, root)),
  ].filter((path) => !roots.has(machine.realPath(path) ?? path));
}

/** `.git` inside a `.git` that may be written decides nothing. */
function isProtectedName(name: string): boolean {
  return (protectedNames as readonly string[]).includes(name);
}
