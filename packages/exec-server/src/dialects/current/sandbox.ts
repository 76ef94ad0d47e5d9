import {
  type AbsolutePath,
  checkAgainst,
  fullAccess,
  joinPath,
  parseWirePath,
  SandboxContext,
  type SandboxEntry,
  type SandboxIntent,
} from "@codex/protocol";
import { invalidRequest } from "./server-errors.ts";

/**
 * The intent that the original's clients mean. Throws the refusal of what this project's sandboxes cannot enforce to
 * the letter: reading is never restricted by them, and the whole disk is never writable.
 */
export function toSandboxIntent(
  sandbox: Readonly<Record<string, unknown>> | null | undefined,
): SandboxIntent {
  if (sandbox == null) return fullAccess;
  const checked = checkAgainst(SandboxContext, sandbox);
  if (!checked.ok) throw cannotEnforce(checked.message);
  const { file_system: files, network } = checked.value.permissions;
  const roots = workspaceRoots(checked.value);
  const networkAccess = network === "enabled";
  if (!files.entries.some((entry) => isSpecial(entry, "root") && entry.access === "read"))
    throw cannotEnforce("reading is restricted");
  const written = files.entries.filter(({ access }) => access === "write");
  const read = files.entries.filter(({ access }) => access === "read");
  if (written.length === 0) return { mode: "read-only", networkAccess };
  const readOnlyPaths = read.flatMap((entry) => pathsOf(entry, roots));
  return {
    mode: "workspace-write",
    writableRoots: written.flatMap((entry) => writableRoots(entry, roots)),
    includeSlashTmp: written.some((entry) => isSpecial(entry, "slash_tmp")),
    includeTmpdir: written.some((entry) => isSpecial(entry, "tmpdir")),
    networkAccess,
    ...(readOnlyPaths.length > 0 && { readOnlyPaths }),
  };
}

/** Where symbolic roots lie; two different answers are none. */
function workspaceRoots({
  cwd,
  workspaceRoots: roots,
  policyContext,
}: SandboxContext): AbsolutePath[] {
  const own = toPaths(roots ?? (cwd == null ? [] : [cwd]));
  const policy = policyContext?.workspaceRoots;
  if (policy != null && toPaths(policy).join("\0") !== own.join("\0"))
    throw cannotEnforce("`policyContext` has other workspace roots");
  return own;
}

function writableRoots(entry: SandboxEntry, roots: readonly AbsolutePath[]): AbsolutePath[] {
  if (isSpecial(entry, "root")) throw cannotEnforce("the whole disk is writable");
  if (isSpecial(entry, "project_roots") && roots.length === 0)
    throw cannotEnforce("there are no workspace roots");
  return pathsOf(entry, roots);
}

/** Without those that have names of their own in an intent. */
function pathsOf({ path }: SandboxEntry, roots: readonly AbsolutePath[]): AbsolutePath[] {
  if (path.type === "path") return toPaths([path.path]);
  const { kind, subpath } = path.value;
  if (kind === "project_roots")
    return roots.map((root) => (subpath === undefined ? root : below(root, subpath)));
  if (subpath !== undefined) throw cannotEnforce(`\`${kind}\` has a subpath`);
  return [];
}

function below(root: AbsolutePath, subpath: string): AbsolutePath {
  if (subpath.startsWith("/") || subpath.split("/").includes(".."))
    throw cannotEnforce("a subpath leads out of its root");
  return joinPath(root, subpath);
}

function isSpecial({ path }: SandboxEntry, kind: string): boolean {
  return path.type === "special" && path.value.kind === kind;
}

/** The schema has checked them. */
function toPaths(uris: readonly string[]): AbsolutePath[] {
  return uris.flatMap((text) => parseWirePath(text) ?? []);
}

function cannotEnforce(why: string): Error {
  return invalidRequest(`sandbox intent cannot be enforced on this executor: ${why}`);
}
