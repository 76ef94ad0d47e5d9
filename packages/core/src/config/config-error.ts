export type ConfigErrorKind =
  | "codexHome"
  | "read" // a file that must be readable is not
  | "syntax"
  | "type"
  | "unknownKey" // under --strict-config
  | "override" // a malformed -c
  | "projectRootMarkers"
  | "profile"
  | "feature"
  | "provider"
  | "environment"
  | "instructions";

/** Where in a file, counted from 1; a range never leaves its line. */
export interface SourceRange {
  readonly line: number;
  readonly column: number;
  /** The column after the last one. */
  readonly endColumn: number;
}

export interface ConfigErrorLocation extends SourceRange {
  readonly file: string;
}

/**
 * The settings cannot be used. `message` is the whole text for a person, with file, line and caret where the cause
 * has a place; a program decides by `kind`. The command line ends with exit code 2.
 */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly kind: ConfigErrorKind;
  readonly location: ConfigErrorLocation | undefined;

  constructor(
    kind: ConfigErrorKind,
    message: string,
    options: { readonly cause?: unknown; readonly location?: ConfigErrorLocation } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.location = options.location;
  }
}
