import type { FileSystem } from "@codex/environment";
import { type AbsolutePath, ancestorsOf, joinPath } from "@codex/protocol";
import { isFileSystemError } from "@codex/environment";

/** True when the folder or one above it holds `.git`, asked where the files are. Only "not there" is an answer; other failures throw. */
export async function isInsideRepository(
  fileSystem: FileSystem,
  cwd: AbsolutePath,
  signal: AbortSignal,
): Promise<boolean> {
  // Asked at once, so that a slow link costs one round trip; the answers count from the folder upwards.
  const answers = ancestorsOf(cwd).map((folder) =>
    exists(fileSystem, joinPath(folder, ".git"), signal),
  );
  for (const answer of answers) answer.catch(() => {});
  for (const answer of answers) if (await answer) return true;
  return false;
}

async function exists(
  fileSystem: FileSystem,
  path: AbsolutePath,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await fileSystem.getMetadata(path, { signal });
    return true;
  } catch (error) {
    if (isFileSystemError(error, "notFound", "notDirectory", "permissionDenied")) return false;
    throw error;
  }
}
