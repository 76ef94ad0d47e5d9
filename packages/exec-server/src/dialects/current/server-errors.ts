import {
  FileSystemError,
  type FileSystemErrorKind,
  isFileSystemError,
  ProcessError,
  type ProcessErrorKind,
} from "@codex/environment";
import { ResponseError } from "@codex/jsonrpc";
import { ErrorCode } from "@codex/protocol";
import { FileHandleError } from "../../server/file-handles.ts";
import { ProcessTableError } from "../../server/process-table.ts";

export function invalidRequest(message: string): ResponseError {
  return new ResponseError(ErrorCode.invalidRequest, message);
}

export function invalidParams(message: string): ResponseError {
  return new ResponseError(ErrorCode.invalidParams, message);
}

/** The original's word for a method that it does not have. */
export function unknownMethod(method: string): ResponseError {
  return new ResponseError(
    ErrorCode.methodNotFound,
    `exec-server stub does not implement \`${method}\` yet`,
  );
}

const fileCodes: Partial<Record<FileSystemErrorKind, number>> = {
  notFound: ErrorCode.notFound,
  invalidInput: ErrorCode.invalidRequest,
  tooLarge: ErrorCode.invalidRequest,
};

const processCodes: Partial<Record<ProcessErrorKind, number>> = {
  invalidArgument: ErrorCode.invalidParams,
  sandboxUnavailable: ErrorCode.invalidRequest,
  limit: ErrorCode.invalidRequest,
  unsupported: ErrorCode.invalidRequest,
};

/** What the original tells about a program that it could not start. */
const spawnKinds: Partial<Record<ProcessErrorKind, string>> = {
  notFound: "spawnNotFound",
  badCwd: "spawnNotFound",
  permissionDenied: "spawnPermissionDenied",
};

/** Errors of the server's own calls in the original's codes; with our kinds only for clients that asked for them. */
export function toWireError(error: unknown, withKinds: boolean): unknown {
  if (error instanceof ProcessTableError) return invalidRequest(error.message);
  if (error instanceof FileHandleError) {
    const code =
      error.kind === "unknown"
        ? ErrorCode.notFound
        : error.kind === "wrongMode"
          ? ErrorCode.internalError
          : ErrorCode.invalidRequest;
    return new ResponseError(code, error.message);
  }
  if (error instanceof FileSystemError) {
    const code = fileCodes[error.kind] ?? ErrorCode.internalError;
    return withData(code, error, withKinds ? error.kind : undefined);
  }
  if (!(error instanceof ProcessError)) return error;
  const code = processCodes[error.kind] ?? ErrorCode.internalError;
  return withData(code, error, withKinds ? error.kind : spawnKinds[error.kind]);
}

function withData(
  code: number,
  cause: FileSystemError | ProcessError,
  kind: string | undefined,
): ResponseError {
  return new ResponseError(code, cause.message, { cause, ...(kind && { data: { kind } }) });
}

/** Runs what reads a file; a directory in its place is the client's mistake, in the original's words. */
export async function readingFile<T>(path: string, withKinds: boolean, read: () => Promise<T>) {
  try {
    return await read();
  } catch (cause) {
    if (!isFileSystemError(cause, "isDirectory")) throw cause;
    const data = withKinds && { data: { kind: cause.kind } };
    const message = `path \`${path}\` is not a file`;
    throw new ResponseError(ErrorCode.invalidRequest, message, { cause, ...data });
  }
}
