import { exitCode } from "./exit-code.ts";

/** The run cannot start, and a person can do something about it: `message` says what. Nothing was asked of the model. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly exitCode: number;

  constructor(
    message: string,
    options: { readonly cause?: unknown; readonly exitCode?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exitCode = options.exitCode ?? exitCode.notStarted;
  }
}
