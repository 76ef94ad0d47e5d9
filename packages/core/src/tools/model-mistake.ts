import { RespondToModelError } from "./tool.ts";

/** What a call must fulfil; when it does not, the model is told `message` and the turn goes on. */
export function requireOfCall(holds: boolean, message: string): void {
  if (!holds) throw new RespondToModelError(message);
}
