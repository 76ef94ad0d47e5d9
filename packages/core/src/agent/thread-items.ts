import type { ThreadEvent, ThreadItem } from "@codex/protocol";
import type { ItemSink, NewThreadItem, OpenItem } from "../tools/tool.ts";

/** Numbers the items of one thread, `item_0` first, and announces them as events. */
export class ThreadItems implements ItemSink {
  readonly #emit: (event: ThreadEvent) => void;
  readonly #open = new Map<string, NewThreadItem>();
  #next = 0;

  constructor(emit: (event: ThreadEvent) => void) {
    this.#emit = emit;
  }

  start(item: NewThreadItem): OpenItem {
    const id = this.#allot();
    this.#open.set(id, item);
    this.#say("item.started", id, item);
    return {
      id,
      update: (next) => {
        if (!this.#open.has(id)) return;
        this.#open.set(id, next);
        this.#say("item.updated", id, next);
      },
      complete: (last) => {
        if (this.#open.delete(id)) this.#say("item.completed", id, last);
      },
    };
  }

  add(item: NewThreadItem): void {
    this.#say("item.completed", this.#allot(), item);
  }

  /** At the end of a turn: whatever nobody has completed is, as it was last told; what was in progress has failed. */
  completeOpen(): void {
    for (const [id, item] of this.#open) this.#say("item.completed", id, ended(item));
    this.#open.clear();
  }

  #allot(): string {
    return `item_${this.#next++}`;
  }

  #say(
    type: "item.started" | "item.updated" | "item.completed",
    id: string,
    item: NewThreadItem,
  ): void {
    this.#emit({ type, item: { id, ...item } as ThreadItem });
  }
}

function ended(item: NewThreadItem): NewThreadItem {
  return "status" in item && item.status === "in_progress" ? { ...item, status: "failed" } : item;
}
