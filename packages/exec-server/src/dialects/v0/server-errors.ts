import { FileSystemError, ProcessError } from "@codex/environment";
import { ResponseError } from "@codex/jsonrpc";
import { ErrorCode } from "@codex/protocol";
import { ProcessTableError } from "../../server/process-table.ts";

export function invalidRequest(message: string): ResponseError {
  return new ResponseError(ErrorCode.invalidRequest, message);
}

export function invalidParams(message: string): ResponseError {
  return new ResponseError(ErrorCode.invalidParams, message);
}

/**
 * Errors of the server's own calls as v0 says them: it has one code for what the client did wrong and one for the
 * rest. The kind goes along as data, which v0 clients ignore and ours needs.
 */
export function toWireError(error: unknown): unknown {
  if (error instanceof ProcessTableError) return invalidRequest(error.message);
  if (error instanceof FileSystemError) {
    const isInput = error.kind === "invalidInput" || error.kind === "tooLarge";
    return withKind(isInput ? ErrorCode.invalidRequest : ErrorCode.internalError, error);
  }
  return error instanceof ProcessError ? withKind(ErrorCode.internalError, error) : error;
}

/** Runs a handler with its failures said in v0. */
export async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toWireError(error);
  }
}

function withKind(code: number, error: FileSystemError | ProcessError): ResponseError {
  const { kind, message } = error;
  return new ResponseError(code, message, { data: { kind }, cause: error });
}
