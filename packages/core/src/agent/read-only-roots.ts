import type { FileSystem } from "@codex/environment";
import {
  type AbsolutePath,
  joinPath,
  parseAbsolutePath,
  protectedNames,
  type SandboxIntent,
} from "@codex/protocol";

/**
 * A warning for each writable root that the sandbox keeps read-only because a protected name in it is a symbolic link
 * (see `writeRules`): nothing else would say why every change there is refused. One round trip where there is no such
 * link; a root that cannot be listed is left to the sandbox.
 */
export async function readOnlyRootWarnings(
  fileSystem: FileSystem,
  sandbox: SandboxIntent,
  signal: AbortSignal,
): Promise<string[]> {
  if (sandbox.mode !== "workspace-write") return [];
  const roots = sandbox.writableRoots.flatMap((root) => parseAbsolutePath(root) ?? []);
  const links = (await Promise.all(roots.map((root) => linksIn(root)))).flat();
  if (links.length === 0) return [];
  const listed = new Set(await Promise.all(roots.map((root) => realPath(root))));
  const isListed = await Promise.all(
    links.map(async ({ path }) => listed.has(await realPath(path))),
  );
  return links.flatMap((link, index) => (isListed[index] === true ? [] : warning(link)));

  async function linksIn(root: AbsolutePath): Promise<Link[]> {
    const entries = await fileSystem.readDirectory(root, { signal }).catch(() => []);
    return entries
      .filter(({ fileName, isSymlink }) => isSymlink && isProtected(fileName))
      .map(({ fileName }) => ({ root, name: fileName, path: joinPath(root, fileName) }));
  }

  function realPath(path: AbsolutePath): Promise<AbsolutePath> {
    return fileSystem.canonicalize(path, { signal }).catch(() => path);
  }
}

interface Link {
  readonly root: AbsolutePath;
  readonly name: string;
  readonly path: AbsolutePath;
}

function isProtected(name: string): boolean {
  return (protectedNames as readonly string[]).includes(name);
}

function warning({ root, name }: Link): string {
  return `\`${root}\` stays read-only: its \`${name}\` is a symbolic link, which a command could turn elsewhere. Replace the link by what it leads to, or list that in \`sandbox_workspace_write.writable_roots\`.`;
}
