import type { ItemSink, NewThreadItem, OpenItem } from "../../src/tools/tool.ts";

/** Everything said about items, in order. */
export class RecordedItems implements ItemSink {
  readonly events: (readonly [
    "started" | "updated" | "completed",
    string,
    Record<string, unknown>,
  ])[] = [];
  #count = 0;

  start(item: NewThreadItem): OpenItem {
    const id = `item_${this.#count++}`;
    this.events.push(["started", id, { ...item }]);
    return {
      id,
      update: (update) => this.events.push(["updated", id, { ...update }]),
      complete: (end) => this.events.push(["completed", id, { ...end }]),
    };
  }

  add(item: NewThreadItem): void {
    this.events.push(["completed", `item_${this.#count++}`, { ...item }]);
  }

  /** The completed items, without what they share with their start. */
  get completed(): {
    readonly output: unknown;
    readonly code: unknown;
    readonly status: unknown;
  }[] {
    return this.events
      .filter(([event]) => event === "completed")
      .map(([, , item]) => ({
        output: item["aggregated_output"],
        code: item["exit_code"],
        status: item["status"],
      }));
  }
}
