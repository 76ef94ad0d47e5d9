import { constants } from "node:os";
import { ProcessError, type ProcessErrorKind } from "./process.ts";

/** The words the C library has for the failures of starting a program. */
const words: Readonly<Record<string, string>> = {
  E2BIG: "Argument list too long",
  EACCES: "Permission denied",
  EAGAIN: "Resource temporarily unavailable",
  EIO: "Input/output error",
  ELOOP: "Too many levels of symbolic links",
  EMFILE: "Too many open files",
  ENAMETOOLONG: "File name too long",
  ENFILE: "Too many open files in system",
  ENOENT: "No such file or directory",
  ENOEXEC: "Exec format error",
  ENOMEM: "Cannot allocate memory",
  ENOTDIR: "Not a directory",
  EPERM: "Operation not permitted",
};

const kinds: Readonly<Record<string, ProcessErrorKind>> = {
  E2BIG: "invalidArgument",
  EACCES: "permissionDenied",
  EAGAIN: "limit",
  EMFILE: "limit",
  ENFILE: "limit",
  ENOENT: "notFound",
  ENOTDIR: "notFound",
  EPERM: "permissionDenied",
};

/** The code of a system error, such as `ENOENT`; undefined for any other value. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}

/** `No such file or directory (os error 2)`, the form people know from the shell and from other agents. */
function osErrorText(code: string): string {
  const number = Object.entries(constants.errno).find(([name]) => name === code)?.[1];
  return `${words[code] ?? code} (os error ${number ?? "unknown"})`;
}

/** A failed start as a {@link ProcessError}; `kind` when the place it failed at says more than the code. */
export function startError(cause: unknown, kind?: ProcessErrorKind): ProcessError {
  const code = errorCode(cause);
  if (code === undefined) return new ProcessError(kind ?? "other", String(cause), { cause });
  return new ProcessError(kind ?? kinds[code] ?? "other", osErrorText(code), { cause });
}
