import { copyRefusals, FileSystemError, osError } from "@codex/environment";
import { type AbsolutePath, ancestorsOf, isInside, joinPath } from "@codex/protocol";
import type { MemoryNode, MemoryPlace, MemoryTree } from "./memory-tree.ts";

/** Throws when the policy forbids changing a place. */
export type CheckPlace = (place: MemoryPlace) => void;

interface FromTo {
  readonly from: AbsolutePath;
  readonly to: AbsolutePath;
}

/** Makes `path` and its missing parents, each one checked. */
export function makeMemoryDirectories(
  tree: MemoryTree,
  path: AbsolutePath,
  check: CheckPlace,
): void {
  const missing = ancestorsOf(path).filter(
    (at) => findLeniently(tree, at, true)?.node === undefined,
  );
  if (missing.length === 0) check(tree.find(path, true));
  for (const directory of missing.toReversed()) {
    check(tree.find(directory, true));
    tree.makeDirectories(directory);
  }
  tree.makeDirectories(path);
}

export function renameMemoryEntry(tree: MemoryTree, { from, to }: FromTo, check: CheckPlace): void {
  check(tree.find(from, false));
  const source = tree.get(from, false);
  const target = tree.find(to, false);
  check(target);
  if (source.real === target.real) return;
  if (isInside(target.real, source.real)) throw osError("EINVAL", to);
  const isDirectory = source.node.kind === "directory";
  if (target.node?.kind === "directory") {
    if (!isDirectory) throw osError("EISDIR", to);
    if (target.node.children.size > 0) throw osError("ENOTEMPTY", to);
  } else if (target.node !== undefined && isDirectory) throw osError("ENOTDIR", to);
  tree.put(target, source.node);
  source.parent.children.delete(source.name);
}

export function removeMemoryEntry(
  tree: MemoryTree,
  path: AbsolutePath,
  options: { readonly recursive: boolean; readonly force: boolean; readonly check: CheckPlace },
): void {
  const place = findLeniently(tree, path, options.force);
  if (place === undefined) return;
  options.check(place);
  if (place.node === undefined) {
    if (options.force) return;
    throw osError("ENOENT", path);
  }
  if (place.node.kind === "directory" && !options.recursive && place.node.children.size > 0)
    throw osError("ENOTEMPTY", path);
  place.parent.children.delete(place.name);
}

export function copyMemoryEntry(
  tree: MemoryTree,
  { from, to }: FromTo,
  options: { readonly recursive: boolean; readonly check: CheckPlace },
): void {
  const source = tree.get(from, false);
  if (source.node.kind === "directory") {
    if (!options.recursive) throw refused(from, "needsRecursive");
    if (isInside(deepestReal(tree, to), source.real)) throw refused(from, "intoItself");
  }
  copyNode(tree, source.node, to, options.check);
}

function copyNode(tree: MemoryTree, node: MemoryNode, to: AbsolutePath, check: CheckPlace): void {
  if (node.kind === "directory") {
    makeMemoryDirectories(tree, to, check);
    for (const [name, child] of node.children) copyNode(tree, child, joinPath(to, name), check);
    return;
  }
  const place = tree.find(to, node.kind === "file");
  check(place);
  if (node.kind === "link") {
    if (place.node !== undefined) throw osError("EEXIST", to);
    return tree.put(place, tree.newLink(node.target));
  }
  if (place.node?.kind === "directory") throw osError("EISDIR", to);
  const file = tree.newFile(node.bytes.slice());
  file.mode = node.mode;
  tree.put(place, file);
}

/** The place of `path`, or undefined when a parent is missing and that is no error. */
function findLeniently(
  tree: MemoryTree,
  path: AbsolutePath,
  isForced: boolean,
): MemoryPlace | undefined {
  try {
    return tree.find(path, false);
  } catch (error) {
    if (isForced && error instanceof FileSystemError && error.kind === "notFound") return undefined;
    throw error;
  }
}

/** The real path of `path`, missing parts kept. */
function deepestReal(tree: MemoryTree, path: AbsolutePath): AbsolutePath {
  try {
    return tree.find(path, true).real;
  } catch (error) {
    if (!(error instanceof FileSystemError) || error.kind !== "notFound") throw error;
    return joinPath(deepestReal(tree, joinPath(path, "..")), path.slice(path.lastIndexOf("/") + 1));
  }
}

function refused(path: AbsolutePath, why: keyof typeof copyRefusals): FileSystemError {
  return new FileSystemError("invalidInput", path, copyRefusals[why]);
}
