import type { ConnectionChange, Environment } from "@codex/environment";
import type { EnvironmentEvent, ThreadEvent } from "@codex/protocol";

const types: Readonly<Record<ConnectionChange["state"], EnvironmentEvent["type"]>> = {
  lost: "environment.lost",
  resumed: "environment.resumed",
  gaveUp: "environment.gave_up",
};

/** Makes events of what becomes of the link to a far environment. Returns a function that stops that. */
export function emitConnectionChanges(
  environment: Environment,
  emit: (event: ThreadEvent) => void,
): () => void {
  const stop = environment.onConnectionChange?.(({ state, reason: message }) =>
    emit({ type: types[state], environment: environment.name, message }),
  );
  return stop ?? (() => undefined);
}
