export type UnifiedExecErrorKind =
  | "createProcess" // the environment refused to start it; nothing ran
  | "unknownProcess" // no such id, or its exit was already told, or it was pruned
  | "stdinClosed" // a command on pipes reads nothing
  | "writeFailed"; // the input did not take the bytes

/** Something asked of unified exec cannot be done. `message` is contract text for the model; decide by `kind`. */
export class UnifiedExecError extends Error {
  override readonly name = "UnifiedExecError";
  readonly kind: UnifiedExecErrorKind;

  constructor(kind: UnifiedExecErrorKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}
