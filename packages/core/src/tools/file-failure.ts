import { isFileSystemError } from "@codex/environment";
import { RespondToModelError } from "./tool.ts";

/**
 * What a tool does with a failed file call: the model is told `text(reason)` and the turn goes on; a lost executor,
 * an abort and everything that is no file error ends the turn instead.
 */
export function failFileCall(error: unknown, text: (reason: string) => string): never {
  if (isFileSystemError(error) && error.kind !== "lost")
    throw new RespondToModelError(text(error.message), { cause: error });
  throw error;
}
