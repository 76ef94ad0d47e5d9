export type FileSystemErrorKind =
  | "notFound"
  | "permissionDenied"
  | "alreadyExists"
  | "notDirectory"
  | "isDirectory"
  | "notEmpty"
  | "readOnly"
  | "invalidInput"
  | "invalidData" // the far side sent something that is no answer
  | "tooLarge"
  | "sandboxDenied" // the policy of the run forbids this change
  | "unsupported" // this side does not offer the call
  | "lost" // the executor is gone; whether a change took effect is unknown
  | "outcomeUnknown" // the link was cut before the answer came, and goes on; the change was not sent again
  | "other";

/**
 * A file call failed. `message` is the system's text with its number, such as
 * `No such file or directory (os error 2)`, alike on every side; decide by `kind`, never by the text.
 */
export class FileSystemError extends Error {
  override readonly name = "FileSystemError";
  readonly kind: FileSystemErrorKind;
  readonly path: string;
  /** Name of the environment, when one is known. */
  readonly environment: string | undefined;

  constructor(
    kind: FileSystemErrorKind,
    path: string,
    message: string,
    options: { cause?: unknown; environment?: string } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.path = path;
    this.environment = options.environment;
  }
}

/** True for a file error of one of these kinds. */
export function isFileSystemError(
  error: unknown,
  ...kinds: readonly FileSystemErrorKind[]
): error is FileSystemError {
  return error instanceof FileSystemError && (kinds.length === 0 || kinds.includes(error.kind));
}
