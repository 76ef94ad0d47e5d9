import type { ExecServerEvent } from "./exec-server-event.ts";

/** From the original: what may wait for an event that is missing. */
const maxEarlyEvents = 256;
const maxEarlyBytes = 1024 * 1024;

/**
 * Puts the numbered events of one process in order: servers exist that send them out of it, and after a cut what was
 * missed is read while new ones arrive. What does not fit the bound is left to be read from the server.
 */
export class EventOrder {
  readonly #early = new Map<number, ExecServerEvent>();
  #earlyBytes = 0;
  #next = 1;
  #hasGap = false;

  /** The number that is waited for. */
  get next(): number {
    return this.#next;
  }

  /** Events were left out, and only the server has them still. */
  get hasGap(): boolean {
    return this.#hasGap;
  }

  /** Those whose turn it is now. A repeat gives none. */
  take(seq: number, event: ExecServerEvent): readonly ExecServerEvent[] {
    if (seq < this.#next || this.#early.has(seq)) return [];
    if (seq === this.#next) {
      this.#next += 1;
      return [event, ...this.#inTurn()];
    }
    const size = sizeOf(event);
    if (this.#early.size >= maxEarlyEvents || this.#earlyBytes + size > maxEarlyBytes) {
      this.#hasGap = true;
      return [];
    }
    this.#early.set(seq, event);
    this.#earlyBytes += size;
    return [];
  }

  /** What is missing will be asked for. */
  closeGap(): void {
    this.#hasGap = false;
  }

  /** All before `next` is accounted for; gives what was waiting for that. */
  skipTo(next: number): readonly ExecServerEvent[] {
    if (next <= this.#next) return [];
    this.#next = next;
    for (const [seq, event] of this.#early) if (seq < next) this.#drop(seq, event);
    return this.#inTurn();
  }

  #inTurn(): ExecServerEvent[] {
    const events: ExecServerEvent[] = [];
    for (let event = this.#early.get(this.#next); event !== undefined;) {
      this.#drop(this.#next, event);
      events.push(event);
      this.#next += 1;
      event = this.#early.get(this.#next);
    }
    return events;
  }

  #drop(seq: number, event: ExecServerEvent): void {
    this.#early.delete(seq);
    this.#earlyBytes -= sizeOf(event);
  }
}

function sizeOf(event: ExecServerEvent): number {
  return event.type === "output" ? event.bytes.length : 0;
}
