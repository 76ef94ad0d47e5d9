import { getSystemErrorMap } from "node:util";
import { FileSystemError, type FileSystemErrorKind } from "./file-system-error.ts";

/**
 * The common system errors by name: Linux's number, the C library's text, our kind. The numbers are Linux's on every
 * platform, so that one failure reads alike wherever it happened.
 */
const osErrors = {
  EPERM: [1, "Operation not permitted", "permissionDenied"],
  ENOENT: [2, "No such file or directory", "notFound"],
  EINTR: [4, "Interrupted system call", "other"],
  EIO: [5, "Input/output error", "other"],
  ENXIO: [6, "No such device or address", "other"],
  EBADF: [9, "Bad file descriptor", "other"],
  EAGAIN: [11, "Resource temporarily unavailable", "other"],
  ENOMEM: [12, "Cannot allocate memory", "other"],
  EACCES: [13, "Permission denied", "permissionDenied"],
  EBUSY: [16, "Device or resource busy", "other"],
  EEXIST: [17, "File exists", "alreadyExists"],
  EXDEV: [18, "Invalid cross-device link", "other"],
  ENODEV: [19, "No such device", "other"],
  ENOTDIR: [20, "Not a directory", "notDirectory"],
  EISDIR: [21, "Is a directory", "isDirectory"],
  EINVAL: [22, "Invalid argument", "invalidInput"],
  ENFILE: [23, "Too many open files in system", "other"],
  EMFILE: [24, "Too many open files", "other"],
  ENOTTY: [25, "Inappropriate ioctl for device", "other"],
  ETXTBSY: [26, "Text file busy", "other"],
  EFBIG: [27, "File too large", "other"],
  ENOSPC: [28, "No space left on device", "other"],
  ESPIPE: [29, "Illegal seek", "other"],
  EROFS: [30, "Read-only file system", "readOnly"],
  EMLINK: [31, "Too many links", "other"],
  EPIPE: [32, "Broken pipe", "other"],
  ENAMETOOLONG: [36, "File name too long", "other"],
  ENOSYS: [38, "Function not implemented", "other"],
  ENOTEMPTY: [39, "Directory not empty", "notEmpty"],
  ELOOP: [40, "Too many levels of symbolic links", "other"],
  EOVERFLOW: [75, "Value too large for defined data type", "other"],
  ENOTSUP: [95, "Operation not supported", "other"],
  ESTALE: [116, "Stale file handle", "other"],
  EDQUOT: [122, "Disk quota exceeded", "other"],
} as const satisfies Record<string, readonly [number, string, FileSystemErrorKind]>;

/** A system error this package knows by name, such as `ENOENT`. */
export type OsErrorCode = keyof typeof osErrors;

/** The system's text with its number, such as `No such file or directory (os error 2)`. */
export function osErrorMessage(code: OsErrorCode): string {
  const [number, text] = osErrors[code];
  return `${text} (os error ${number})`;
}

/** The `FileSystemError` for a system error known by name. */
export function osError(
  code: OsErrorCode,
  path: string,
  options: { cause?: unknown; environment?: string } = {},
): FileSystemError {
  return new FileSystemError(osErrors[code][2], path, osErrorMessage(code), options);
}

/** Whatever `node:fs` threw as a `FileSystemError` that names the environment, the thrown value kept as its cause. */
export function toFileSystemError(
  error: unknown,
  path: string,
  environment?: string,
): FileSystemError {
  const named = environment === undefined ? {} : { environment };
  if (error instanceof FileSystemError)
    return new FileSystemError(error.kind, path, error.message, { cause: error.cause, ...named });
  const options = { cause: error, ...named };
  const code = codeOf(error);
  if (isKnown(code)) return osError(code, path, options);
  if (code === "ERR_INVALID_ARG_VALUE" || code === "ERR_OUT_OF_RANGE")
    return new FileSystemError("invalidInput", path, (error as Error).message, options);
  return new FileSystemError("other", path, unknownMessage(error), options);
}

/** True when `node:fs` failed with one of these. */
export function hasCode(error: unknown, ...codes: readonly OsErrorCode[]): boolean {
  return (codes as readonly unknown[]).includes(codeOf(error));
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function isKnown(code: unknown): code is OsErrorCode {
  return typeof code === "string" && Object.hasOwn(osErrors, code);
}

function unknownMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const errno = "errno" in error && typeof error.errno === "number" ? error.errno : undefined;
  const text = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  return text === undefined ? error.message : `${text} (os error ${-(errno ?? 0)})`;
}
