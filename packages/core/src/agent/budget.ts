import { blendedTokens, type TokenUsage } from "@codex/protocol";

/** Bounds of one run; each is optional. */
export interface TurnLimits {
  /** Model requests. */
  readonly maxTurns?: number;
  /** Input that was not cached, plus output. */
  readonly maxTokens?: number;
  /** Wall time of the whole run. */
  readonly timeoutMs?: number;
}

/** The limit that is reached, as a sentence, or undefined while there is room for one more model request. */
export function reachedLimit(
  limits: TurnLimits,
  used: { readonly requests: number; readonly usage: TokenUsage },
): string | undefined {
  if (limits.maxTurns !== undefined && used.requests >= limits.maxTurns) {
    return `stopped after ${used.requests} model requests (the limit is ${limits.maxTurns})`;
  }
  const tokens = blendedTokens(used.usage);
  if (limits.maxTokens !== undefined && tokens >= limits.maxTokens) {
    return `stopped after ${tokens} tokens (the limit is ${limits.maxTokens})`;
  }
  return undefined;
}
