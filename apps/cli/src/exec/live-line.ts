import { formatSeconds } from "./figures.ts";

export interface LiveLineOptions {
  readonly write: (text: string) => void;
  readonly columns: () => number;
  readonly now: () => number;
  readonly dim: (text: string) => string;
}

/** How often the clock on the line moves. */
const tickMs = 1000;

/**
 * The last line of a terminal, rewritten in place: what is going on and for how long. Text that is to stay goes
 * through `print`, which moves the line below it.
 */
export class LiveLine implements Disposable {
  readonly #options: LiveLineOptions;
  #activity: { readonly text: string; readonly sinceMs: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;

  constructor(options: LiveLineOptions) {
    this.#options = options;
  }

  /** Changes what is going on; the clock goes on for the same text. Undefined takes the line away. */
  show(text: string | undefined): void {
    if (text === this.#activity?.text) return;
    this.#activity = text === undefined ? undefined : { text, sinceMs: this.#options.now() };
    this.#draw();
    if (text === undefined) this[Symbol.dispose]();
    else this.#timer ??= setInterval(() => this.#draw(), tickMs).unref();
  }

  print(text: string): void {
    this.#clear();
    this.#options.write(text);
    this.#draw();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#clear();
  }

  #draw(): void {
    this.#clear();
    if (this.#activity === undefined) return;
    const { write, columns, now, dim } = this.#options;
    const clock = ` ${formatSeconds(now() - this.#activity.sinceMs)}`;
    const room = Math.max(0, columns() - clock.length - 2);
    const text = Array.from(this.#activity.text);
    const shown = text.length > room ? `${text.slice(0, room).join("")}…` : text.join("");
    write(dim(`${shown}${clock}`));
    this.#isShown = true;
  }

  #clear(): void {
    if (this.#isShown) this.#options.write("\r\u001b[2K");
    this.#isShown = false;
  }
}
