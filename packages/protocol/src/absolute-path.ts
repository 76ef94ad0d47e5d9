declare const absolutePath: unique symbol;

/**
 * A normalised absolute POSIX path of some environment: starts with `/`, has no `.`, `..`, empty segment
 * or trailing slash. All arithmetic here is lexical: nothing asks a disk, so it is as true for a far machine
 * as for this one. Never use `node:path` on an environment's path.
 */
export type AbsolutePath = string & { readonly [absolutePath]: true };

/** Normalises `text` (`..` is clamped at the root), or gives undefined when it does not start with `/` or holds NUL. */
export function parseAbsolutePath(text: string): AbsolutePath | undefined {
  if (!text.startsWith("/") || text.includes("\0")) return undefined;
  return normalise(text);
}

/** As {@link parseAbsolutePath}, for paths that are known to be absolute. Throws a `TypeError` naming the text otherwise. */
export function toAbsolutePath(text: string): AbsolutePath {
  const path = parseAbsolutePath(text);
  if (path === undefined) throw new TypeError(`not an absolute path: ${JSON.stringify(text)}`);
  return path;
}

/** `base` followed by `relative`, normalised; an absolute `relative` replaces `base`. */
export function joinPath(base: AbsolutePath, relative: string): AbsolutePath {
  return normalise(relative.startsWith("/") ? relative : `${base}/${relative}`);
}

/** The containing directory; undefined for `/`. */
export function parentPath(path: AbsolutePath): AbsolutePath | undefined {
  if (path === "/") return undefined;
  return (path.slice(0, path.lastIndexOf("/")) || "/") as AbsolutePath;
}

/** The last segment; the empty string for `/`. */
export function baseName(path: AbsolutePath): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** `path` itself, then each ancestor, ending with `/`. */
export function ancestorsOf(path: AbsolutePath): AbsolutePath[] {
  const chain: AbsolutePath[] = [];
  for (let at: AbsolutePath | undefined = path; at !== undefined; at = parentPath(at))
    chain.push(at);
  return chain;
}

/** True when `path` is `root` or lies below it, by whole segments (`/w1x` is not inside `/w1`). */
export function isInside(path: AbsolutePath, root: AbsolutePath): boolean {
  return path === root || path.startsWith(root === "/" ? "/" : `${root}/`);
}

/** The part of `path` below `root` without a leading slash (empty for `root` itself); undefined when outside. */
export function relativePath(path: AbsolutePath, root: AbsolutePath): string | undefined {
  if (path === root) return "";
  if (!isInside(path, root)) return undefined;
  return path.slice(root === "/" ? 1 : root.length + 1);
}

function normalise(text: string): AbsolutePath {
  const kept: string[] = [];
  for (const segment of text.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") kept.pop();
    else kept.push(segment);
  }
  return `/${kept.join("/")}` as AbsolutePath;
}
