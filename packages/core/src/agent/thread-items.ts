import type { ThreadEvent, ThreadItem } from "@codex/protocol";
import type { ItemSink, NewThreadItem, OpenItem } from "../tools/tool.ts";

/** Numbers the items of one thread, `item_0` first, and announces them as events. */
export class ThreadItems implements ItemSink {
  readonly #emit: (event: ThreadEvent) => void;
  #next = 0;

  constructor(emit: (event: ThreadEvent) => void) {
    this.#emit = emit;
  }

  start(item: NewThreadItem): OpenItem {
    const id = this.#allot();
    let isOpen = true;
    this.#say("item.started", id, item);
    return {
      id,
      update: (next) => {
        if (isOpen) this.#say("item.updated", id, next);
      },
      complete: (last) => {
        if (!isOpen) return;
        isOpen = false;
        this.#say("item.completed", id, last);
      },
    };
  }

  add(item: NewThreadItem): void {
    this.#say("item.completed", this.#allot(), item);
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
