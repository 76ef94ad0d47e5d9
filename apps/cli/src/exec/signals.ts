import { exitCodeOfSignal } from "../exit-code.ts";
import type { ProcessContext } from "../process-context.ts";

/** Asks to end the run: the first signal aborts it, the second ends the process at once. */
export interface Interruption extends Disposable {
  /** Aborted by the first signal; the reason is what `reasonFor` made of its name. */
  readonly signal: AbortSignal;
  /** Name of the first signal. */
  readonly received: NodeJS.Signals | undefined;
}

export function listenForInterruption(
  context: Pick<ProcessContext, "onSignal" | "exit">,
  reasonFor: (signal: NodeJS.Signals) => Error,
): Interruption {
  const controller = new AbortController();
  let received: NodeJS.Signals | undefined;
  const stop = context.onSignal(["SIGINT", "SIGTERM", "SIGHUP"], (signal) => {
    if (received !== undefined) return context.exit(exitCodeOfSignal(signal));
    received = signal;
    controller.abort(reasonFor(signal));
  });
  return {
    signal: controller.signal,
    get received() {
      return received;
    },
    [Symbol.dispose]: stop,
  };
}
