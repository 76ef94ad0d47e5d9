import type { SandboxIntent } from "@codex/protocol";

/** Which variables a process gets, as a policy: the side that runs it starts from its own environment. */
export interface EnvironmentPolicy {
  /** Where to start from: everything the executor has, the core names (HOME, LOGNAME, PATH, SHELL, USER, USERNAME, TMPDIR, TEMP, TMP), or nothing. */
  readonly inherit: "all" | "core" | "none";
  /** When false, inherited names that match `*KEY*`, `*SECRET*` or `*TOKEN*` (any case) are dropped. */
  readonly ignoreDefaultExcludes: boolean;
  /** Globs (`*`, `?`, any case) of inherited names to drop. */
  readonly exclude: readonly string[];
  /** Variables forced after the excludes. */
  readonly set: Readonly<Record<string, string>>;
  /** When not empty, only names that match one of these globs stay (of `set` too). */
  readonly includeOnly: readonly string[];
  /** Laid over the result of everything above; nothing filters it. */
  readonly overlay: Readonly<Record<string, string>>;
}

/** The policy that gives a process exactly these variables. */
export function exactEnvironment(variables: Readonly<Record<string, string>>): EnvironmentPolicy {
  return {
    inherit: "none",
    ignoreDefaultExcludes: true,
    exclude: [],
    set: {},
    includeOnly: [],
    overlay: variables,
  };
}

export interface TerminalSize {
  readonly rows: number;
  readonly columns: number;
}

/** 24 x 80, the size of a terminal nobody asked to be larger. */
export const defaultTerminalSize: TerminalSize = { rows: 24, columns: 80 };

export interface SpawnOptions {
  /** Program and arguments; the program is looked up on the PATH the process will have. Not empty. */
  readonly argv: readonly string[];
  /** Absolute path on the side that runs the process. */
  readonly cwd: string;
  /** What the process sees as its own name, when not `argv[0]`. */
  readonly arg0?: string;
  readonly env: EnvironmentPolicy;
  /** A terminal of this size, or false for pipes. */
  readonly tty: TerminalSize | false;
  /** `closed`: a pipe process reads /dev/null. A terminal's input is always open. */
  readonly stdin: "closed" | "open";
  readonly sandbox: SandboxIntent;
}

export type OutputStream = "stdout" | "stderr" | "pty";

/** A piece of output: at most 64 KiB, never empty, the reader's own memory. */
export interface OutputChunk {
  readonly stream: OutputStream;
  readonly bytes: Uint8Array;
  /** Output is missing before this piece: a link was cut for longer than the far side keeps what is printed. */
  readonly gapBefore?: OutputGap;
}

export interface OutputGap {
  /** How much is missing; undefined where the far side cannot tell. */
  readonly bytes: number | undefined;
}

export interface ProcessExit {
  /** The program's code; 128+n when signal n ended it. */
  readonly code: number;
  /** Name of the signal that ended it, such as `SIGTERM`, where the side can tell. */
  readonly signal?: string;
  /** True when the side that enforces the sandbox says the failure was its denial. */
  readonly sandboxDenied?: boolean;
}

export type ProcessSignal =
  | "SIGINT"
  | "SIGTERM"
  | "SIGHUP"
  | "SIGQUIT"
  | "SIGKILL"
  | "SIGUSR1"
  | "SIGUSR2"
  | "SIGWINCH";

/**
 * A running program, here or far away.
 *
 * Order: `exit` settles when the program itself has ended; `output` may still hold what it wrote before, and a
 * descendant may write on. `closed` settles when the program has ended and the last byte has been taken from
 * `output` or given up; nothing comes after it. So all output is there at `closed`, and exit is not close.
 *
 * When the side that runs it is lost, `output` throws, `exit` and `closed` reject, and every call rejects, all with
 * the same {@link ProcessError} of kind `lost`; no exit code is ever invented. `exit` and `closed` never cause an
 * unhandled rejection.
 */
export interface SpawnedProcess extends AsyncDisposable {
  /** The operating system's number, where the process runs on this machine. */
  readonly pid: number | undefined;
  /** One consumer. Bytes are pulled: while nobody asks, the program is held back by its full pipe or terminal. Leaving the loop early lets the rest be read and dropped. */
  readonly output: AsyncIterable<OutputChunk>;
  readonly exit: Promise<ProcessExit>;
  readonly closed: Promise<void>;
  /** Settles when the bytes are handed to the program's input, or rejects (`stdinClosed`). Never blocks the loop when the program does not read; `signal` gives up waiting. */
  write(bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** End of input for a pipe; for a terminal, refused as `unsupported` (write `\x04`). */
  closeStdin(): Promise<void>;
  /** Terminals only, else `unsupported`. */
  resize(size: TerminalSize): Promise<void>;
  /** To the whole process group; nothing happens when it has ended. */
  signal(name: ProcessSignal): Promise<void>;
  /** SIGTERM to the whole group, `graceMs` (default 2,000) to end, then SIGKILL to the group; 0 is SIGKILL at once. Settles when the program has ended. */
  terminate(options?: { readonly graceMs?: number }): Promise<void>;
  /** `terminate({ graceMs: 0 })`, drops the rest of the output, frees every descriptor. Safe to repeat. */
  [Symbol.asyncDispose](): Promise<void>;
}

export type ProcessErrorKind =
  | "notFound" // no such program
  | "permissionDenied" // the program may not be run
  | "badCwd" // the working directory is missing or no directory
  | "invalidArgument" // empty argv, NUL in a string, a size out of range
  | "stdinClosed"
  | "unsupported" // this side does not offer the call
  | "terminalUnavailable" // the native terminal binary is missing; the message names the fix
  | "sandboxUnavailable" // the sandbox asked for cannot be enforced here; nothing was run
  | "limit" // the executor refuses one more process
  | "lost" // the executor is gone; whether the call took effect is unknown
  | "outcomeUnknown" // the link was cut before the answer came, and goes on; the call was not sent again
  | "other";

/** A process could not be started, written to or controlled. `message` is for a reader; decide by `kind`. */
export class ProcessError extends Error {
  override readonly name = "ProcessError";
  readonly kind: ProcessErrorKind;
  /** Name of the environment, when one is known. */
  readonly environment: string | undefined;

  constructor(
    kind: ProcessErrorKind,
    message: string,
    options: { cause?: unknown; environment?: string } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.environment = options.environment;
  }
}
