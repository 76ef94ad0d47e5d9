import { checkWritable, type FileSystem, isFileSystemError } from "@codex/environment";
import {
  type AbsolutePath,
  ancestorsOf,
  joinPath,
  relativePath,
  type SandboxIntent,
  writeRules,
} from "@codex/protocol";

export const outsideRefusal =
  "patch rejected: writing outside of the project; rejected by user approval settings";
const readOnlyRefusal =
  "patch rejected: writing is blocked by read-only sandbox; rejected by user approval settings";

export interface PatchPolicy {
  readonly fileSystem: FileSystem;
  readonly sandbox: SandboxIntent;
  /** `$TMPDIR` of the environment, when it is known. */
  readonly temporaryDirectory?: AbsolutePath | undefined;
}

/**
 * Why a patch may not change `paths`, before any of it is done; undefined: it may try. The side that changes decides
 * in the end: this is for the answer and for changing all or nothing. Asks the file system only when a path as it is
 * spelled is outside, since it may lead inside.
 */
export async function refusal(
  paths: readonly AbsolutePath[],
  policy: PatchPolicy,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { sandbox, temporaryDirectory } = policy;
  if (sandbox.mode === "danger-full-access") return undefined;
  if (sandbox.mode === "read-only") return readOnlyRefusal;
  const rules = lexicalRules(sandbox, temporaryDirectory);
  const outside = paths.filter((path) => checkWritable(path, "content", rules) !== undefined);
  if (outside.length === 0) return undefined;

  const real = (path: AbsolutePath) => realPath(path, policy.fileSystem, signal);
  const [writableRoots, targets] = await Promise.all([
    Promise.all(rules.writableRoots.map(real)),
    Promise.all(outside.map(real)),
  ]);
  const realSandbox = { ...sandbox, writableRoots, includeSlashTmp: false, includeTmpdir: false };
  const realRules = lexicalRules(realSandbox, undefined);
  return targets.some((path) => checkWritable(path, "content", realRules) !== undefined)
    ? outsideRefusal
    : undefined;
}

function lexicalRules(
  sandbox: Exclude<SandboxIntent, { mode: "danger-full-access" }>,
  temporaryDirectory: AbsolutePath | undefined,
) {
  return writeRules(sandbox, {
    temporaryDirectory,
    realPath: (path) => path,
    kindOf: () => "directory",
    gitDirectoryOf: () => undefined,
  })!;
}

/** `path` with the links of what exists of it resolved; all its ancestors are asked for at once. */
async function realPath(
  path: AbsolutePath,
  fileSystem: FileSystem,
  signal: AbortSignal,
): Promise<AbsolutePath> {
  const ancestors = ancestorsOf(path);
  const real = await Promise.all(
    ancestors.map(async (ancestor) => {
      try {
        return await fileSystem.canonicalize(ancestor, { signal });
      } catch (error) {
        if (!isFileSystemError(error) || error.kind === "lost") throw error;
        return undefined;
      }
    }),
  );
  const deepest = real.findIndex((one) => one !== undefined);
  const [at, reached] = [ancestors[deepest], real[deepest]];
  if (at === undefined || reached === undefined) return path;
  return joinPath(reached, `./${relativePath(path, at) ?? ""}`);
}
