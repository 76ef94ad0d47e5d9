import {
  type FileSystem,
  isFileSystemError,
  ProcessError,
  type SpawnOptions,
} from "@codex/environment";
import { ErrorCode, parseAbsolutePath } from "@codex/protocol";
import { ExecServerError } from "../../client/exec-server-error.ts";
import { serverText, toldProcessKind } from "./error-kind.ts";

/** Why a start was refused. A server that does not tell the kind is asked whether the working directory is there. */
export async function v0ProcessError(
  error: unknown,
  options: SpawnOptions,
  fileSystem: FileSystem,
): Promise<unknown> {
  if (!(error instanceof ExecServerError) || error.kind !== "server") return error;
  const kind = toldProcessKind(error) ?? (await guessKind(error, options, fileSystem));
  return new ProcessError(kind, serverText(error), { cause: error });
}

async function guessKind(error: ExecServerError, { cwd }: SpawnOptions, fileSystem: FileSystem) {
  if (error.code === ErrorCode.invalidParams || error.code === ErrorCode.invalidRequest)
    return "invalidArgument";
  return (await isMissingDirectory(cwd, fileSystem)) ? "badCwd" : "other";
}

async function isMissingDirectory(cwd: string, fileSystem: FileSystem): Promise<boolean> {
  const path = parseAbsolutePath(cwd);
  if (path === undefined) return true;
  try {
    return !(await fileSystem.getMetadata(path)).isDirectory;
  } catch (failure) {
    return isFileSystemError(failure, "notFound", "notDirectory");
  }
}
