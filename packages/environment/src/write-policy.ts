import { type AbsolutePath, isInside, type WriteRules } from "@codex/protocol";
import { FileSystemError } from "./file-system-error.ts";

/** `content`: a file or directory is made or filled. `entry`: the name itself goes or is replaced (remove, rename), and all below it with it. */
export type ChangeKind = "content" | "entry";

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
