import {
  type FileSystem,
  FileSystemError,
  type FileSystemErrorKind,
  isFileSystemError,
  osErrorMessage,
  ProcessError,
  type ProcessErrorKind,
  type SpawnOptions,
} from "@codex/environment";
import { type AbsolutePath, ErrorCode, parseAbsolutePath } from "@codex/protocol";
import { ExecServerError } from "../../client/exec-server-error.ts";
import { isLostConnection, lostFile } from "../../client/lost-error.ts";
import { serverText, toldFileKind, toldProcessKind } from "../v0/error-kind.ts";

/** What a refused file call means, by the kind the server tells, else by its code; the original tells no more. */
export function explainFile(error: unknown, path: AbsolutePath): unknown {
  if (isLostConnection(error)) return lostFile(error, path);
  if (!(error instanceof ExecServerError)) return error;
  const kind = fileKind(error);
  // The original has words of its own for this one; here a kind has one text on every side.
  const text = kind === "isDirectory" ? osErrorMessage("EISDIR") : textOf(error);
  return new FileSystemError(kind, path, text, { cause: error });
}

/** Why a start was refused. */
export async function explainStart(
  error: unknown,
  options: SpawnOptions,
  files: FileSystem,
): Promise<unknown> {
  if (!(error instanceof ExecServerError)) return error;
  if (error.kind === "outcomeUnknown") return processError("outcomeUnknown", error);
  if (error.kind !== "server") return error;
  return processError(toldProcessKind(error) ?? (await startKind(error, options, files)), error);
}

function processError(kind: ProcessErrorKind, error: ExecServerError): ProcessError {
  return new ProcessError(kind, textOf(error), { cause: error });
}

/** The server's own words, where it said any. */
function textOf(error: ExecServerError): string {
  return error.kind === "outcomeUnknown" ? error.message : serverText(error);
}

function fileKind(error: ExecServerError): FileSystemErrorKind {
  if (error.kind === "outcomeUnknown") return "outcomeUnknown";
  const told = toldFileKind(error);
  if (told !== undefined) return told;
  if (error.code === ErrorCode.notFound) return "notFound";
  if (error.code === ErrorCode.invalidRequest || error.code === ErrorCode.invalidParams)
    return "invalidInput";
  return error.code === ErrorCode.methodNotFound ? "unsupported" : "other";
}

/** The original's words for a program that could not be started. It has none for a directory that is not there. */
const originalKinds: Readonly<Record<string, ProcessErrorKind>> = {
  spawnNotFound: "notFound",
  spawnPermissionDenied: "permissionDenied",
};

async function startKind(
  { code, data }: ExecServerError,
  { cwd, sandbox }: SpawnOptions,
  files: FileSystem,
): Promise<ProcessErrorKind> {
  if (code === ErrorCode.invalidParams) return "invalidArgument";
  const kind = typeof data === "object" && data !== null && "kind" in data ? data.kind : undefined;
  const named = typeof kind === "string" ? originalKinds[kind] : undefined;
  if (named === "permissionDenied") return named;
  if (await isMissingDirectory(cwd, files)) return "badCwd";
  if (named !== undefined) return named;
  if (code !== ErrorCode.invalidRequest) return "other";
  return sandbox.mode === "danger-full-access" ? "invalidArgument" : "sandboxUnavailable";
}

async function isMissingDirectory(cwd: string, files: FileSystem): Promise<boolean> {
  const path = parseAbsolutePath(cwd);
  if (path === undefined) return true;
  try {
    return !(await files.getMetadata(path)).isDirectory;
  } catch (failure) {
    return isFileSystemError(failure, "notFound", "notDirectory");
  }
}
