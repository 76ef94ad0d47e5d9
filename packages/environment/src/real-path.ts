import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { type AbsolutePath, baseName, joinPath, parentPath } from "@codex/protocol";
import { hasCode, osError } from "./os-error.ts";

/** As many links in a row as Linux follows. */
const maxLinks = 40;

/**
 * Where writing to `path` would really land: links of every existing part resolved, a dangling link at the end
 * followed, missing parts kept.
 */
export function realTarget(path: AbsolutePath, linksLeft = maxLinks): AbsolutePath {
  try {
    return realpathSync.native(path) as AbsolutePath;
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
  if (linksLeft === 0) throw osError("ELOOP", path);
  const parent = realParent(path, linksLeft);
  const link = readLink(joinPath(parent, baseName(path)));
  if (link === undefined) return joinPath(parent, baseName(path));
  return realTarget(joinPath(parent, link), linksLeft - 1);
}

/** The entry `path` names, its parent's links resolved, itself not. */
export function realEntry(path: AbsolutePath): AbsolutePath {
  return path === "/" ? path : joinPath(realParent(path, maxLinks), baseName(path));
}

function realParent(path: AbsolutePath, linksLeft: number): AbsolutePath {
  return realTarget(parentPath(path) ?? path, linksLeft);
}

function readLink(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
