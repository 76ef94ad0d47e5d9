import { fullAccess, type SandboxIntent } from "@codex/protocol";

/** What of an intent still has to be said to a server that holds every call to `bound` by itself. */
export function withoutBound(
  intent: SandboxIntent,
  bound: SandboxIntent | undefined,
): SandboxIntent {
  return bound !== undefined && JSON.stringify(intent) === JSON.stringify(bound)
    ? fullAccess
    : intent;
}
