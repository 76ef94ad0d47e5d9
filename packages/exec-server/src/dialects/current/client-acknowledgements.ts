import type { EventOrder } from "../../client/event-order.ts";

/** How much may arrive before it is acknowledged: a quarter of what makes our server hold a process back. */
const maxBytes = 128 * 1024;
const maxEvents = 256;

/** Counts what has arrived of each process and was not acknowledged. */
export class Acknowledgements {
  readonly #counts = new WeakMap<EventOrder, { bytes: number; events: number }>();

  /** True when it is time to acknowledge, which then counts as done. */
  isDue(order: EventOrder, bytes: number): boolean {
    const count = this.#counts.get(order) ?? { bytes: 0, events: 0 };
    count.bytes += bytes;
    count.events += 1;
    const isDue = count.bytes >= maxBytes || count.events >= maxEvents;
    this.#counts.set(order, isDue ? { bytes: 0, events: 0 } : count);
    return isDue;
  }
}
