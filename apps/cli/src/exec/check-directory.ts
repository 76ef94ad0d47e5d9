import { type Environment, isFileSystemError } from "@codex/environment";
import type { AbsolutePath } from "@codex/protocol";
import { StartError } from "../start-error.ts";
import { isInsideRepository } from "./git-check.ts";

/** The directory a run works in exists, where the work is, and lies in a repository unless that was waived. */
export async function checkDirectory(
  environment: Environment,
  options: { readonly skipGitRepoCheck: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { cwd } = await environment.info(options.signal);
  await checkExists(environment, cwd, options.signal);
  if (options.skipGitRepoCheck) return;
  if (await isInsideRepository(environment.fileSystem, cwd, options.signal)) return;
  throw new StartError(
    "Not inside a trusted directory and --skip-git-repo-check was not specified.",
  );
}

async function checkExists(
  { fileSystem, name }: Environment,
  cwd: AbsolutePath,
  signal: AbortSignal,
): Promise<void> {
  const place = name === "local" ? cwd : `${cwd} on ${name}`;
  try {
    if ((await fileSystem.getMetadata(cwd, { signal })).isDirectory) return;
  } catch (cause) {
    if (!isFileSystemError(cause, "notFound", "notDirectory", "permissionDenied")) throw cause;
    throw new StartError(`Cannot work in ${place}: ${cause.message}`, { cause });
  }
  throw new StartError(`Cannot work in ${place}: it is no directory`);
}
