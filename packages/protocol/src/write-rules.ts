import { type AbsolutePath, baseName, joinPath, parseAbsolutePath } from "./absolute-path.ts";
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
 * protected. `/tmp` and `$TMPDIR` belong to everybody, so a protected name that is missing there may be made.
 */
export function writeRules(intent: SandboxIntent, machine: MachineFacts): WriteRules | undefined {
  if (intent.mode === "danger-full-access") return undefined;
  if (intent.mode === "read-only") return { writableRoots: [], protectedPaths: [] };
  const wanted = realPaths(intent.writableRoots, machine);
  const all = new Set([...wanted, ...realPaths(scratch(intent, machine), machine)]);
  const writableRoots = [...all].filter((root) => !hasLinkedName(root, all, machine));
  const protectedPaths = writableRoots.flatMap((root) =>
    protectedIn(root, all, machine).filter(
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

function hasLinkedName(
  root: AbsolutePath,
  roots: ReadonlySet<AbsolutePath>,
  machine: MachineFacts,
): boolean {
  return namesIn(root, roots, machine).some((path) => machine.kindOf(path) === "link");
}

function protectedIn(
  root: AbsolutePath,
  roots: ReadonlySet<AbsolutePath>,
  machine: MachineFacts,
): AbsolutePath[] {
  return namesIn(root, roots, machine)
    .flatMap((path) => [path, machine.gitDirectoryOf(path) ?? []].flat())
    .filter((path) => !roots.has(path));
}

/** The protected names of a root, as paths, without those that somebody listed as roots. */
function namesIn(
  root: AbsolutePath,
  roots: ReadonlySet<AbsolutePath>,
  machine: MachineFacts,
): AbsolutePath[] {
  if (machine.kindOf(root) !== "directory" || isProtectedName(baseName(root))) return [];
  return protectedNames
    .map((name) => joinPath(root, name))
    .filter((path) => !roots.has(machine.realPath(path) ?? path));
}

/** `.git` inside a `.git` that may be written decides nothing. */
function isProtectedName(name: string): boolean {
  return (protectedNames as readonly string[]).includes(name);
}
