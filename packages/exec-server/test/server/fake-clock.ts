import type { Clock } from "@codex/exec-server";

export interface FakeClock extends Clock {
  /** Lets time pass: calls what is due, in the order of its time. */
  pass(ms: number): void;
  /** How many timers are set. */
  readonly waiting: number;
}

/** A clock that stands still until it is told otherwise. */
export function createFakeClock(): FakeClock {
  let now = 0;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    pass(ms) {
      const end = now + ms;
      for (;;) {
        const [due] = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (due === undefined) break;
        timers = timers.filter((timer) => timer !== due);
        now = due.at;
        due.run();
      }
      now = end;
    },
    get waiting() {
      return timers.length;
    },
  };
}

/** Lets everything run that needs no time. */
export async function turns(count = 10): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
