import { blendedTokens, type ThreadEvent, type ThreadItem, type TurnFailed } from "@codex/protocol";
import type { ProcessContext } from "../process-context.ts";
import { formatCount, formatDuration } from "./figures.ts";
import type { EventOutput } from "./event-output.ts";
import { activityOf, closingText, openingLine } from "./human-item.ts";
import { LiveLine } from "./live-line.ts";
import { printable } from "./printable.ts";
import { createStyle, type Style } from "./style.ts";

export interface HumanOutputOptions {
  /** `name: value` lines of the header, in order; the session id is added to them. */
  readonly header: Readonly<Record<string, string>>;
  readonly title: string;
  readonly prompt: string;
  readonly isColored: boolean;
  readonly hidesReasoning: boolean;
}

type Streams = Pick<ProcessContext, "stdout" | "stderr" | "now">;

/** Tells a person on stderr what happens; stdout gets the last message and nothing else. */
export function humanOutput(streams: Streams, options: HumanOutputOptions): EventOutput {
  return new HumanOutput(streams, options);
}

class HumanOutput implements EventOutput {
  readonly #streams: Streams;
  readonly #options: HumanOutputOptions;
  readonly #style: Style;
  readonly #live: LiveLine | undefined;
  readonly #open = new Map<string, { readonly item: ThreadItem; readonly sinceMs: number }>();
  /** The item whose opening line is the last thing printed: its end needs no repetition. */
  #lastOpened: string | undefined;
  #lastError: string | undefined;

  constructor(streams: Streams, options: HumanOutputOptions) {
    this.#streams = streams;
    this.#options = options;
    this.#style = createStyle(options.isColored);
    const { stderr, now } = streams;
    if (stderr.isTerminal) {
      const write = (text: string): void => stderr.write(text);
      this.#live = new LiveLine({ write, columns: stderr.columns, now, dim: this.#style.dim });
    }
  }

  event(event: ThreadEvent): void {
    switch (event.type) {
      case "thread.started":
        return this.#header(event.thread_id);
      case "turn.started":
        return this.#showActivity();
      case "item.started":
        return this.#itemStarted(event.item);
      case "item.updated":
        return this.#closing(event.item, "");
      case "item.completed":
        return this.#itemCompleted(event.item);
      case "error":
        this.#lastError = event.message;
        return this.#print(`${this.#style.red("error:")} ${printable(event.message)}`);
      case "environment.lost":
      case "environment.resumed":
      case "environment.gave_up":
        return this.#print(this.#style.yellow(`${event.environment}: ${printable(event.message)}`));
      case "turn.completed":
      case "turn.failed":
        return this.#turnEnded(event);
    }
  }

  /** The last message was already shown when both streams are one terminal. */
  finish(lastMessage: string | undefined): void {
    const { stdout, stderr } = this.#streams;
    this.#live?.[Symbol.dispose]();
    if (lastMessage === undefined || (stdout.isTerminal && stderr.isTerminal)) return;
    stdout.write(lastMessage.endsWith("\n") ? lastMessage : `${lastMessage}\n`);
  }

  #header(threadId: string): void {
    const { title, header, prompt } = this.#options;
    const facts = { ...header, "session id": threadId };
    const lines = Object.entries(facts).map(
      ([name, value]) => `${this.#style.bold(`${name}:`)} ${printable(value)}`,
    );
    this.#print([title, "--------", ...lines, "--------"].join("\n"));
    this.#print(`${this.#style.bold("user")}\n${printable(prompt)}`);
  }

  #itemStarted(item: ThreadItem): void {
    this.#open.set(item.id, { item, sinceMs: this.#streams.now() });
    const line = openingLine(item, this.#style);
    if (line !== undefined) {
      this.#print(line);
      this.#lastOpened = item.id;
    } else if (item.type === "todo_list") this.#closing(item, "");
    this.#showActivity();
  }

  #itemCompleted(item: ThreadItem): void {
    const open = this.#open.get(item.id);
    this.#open.delete(item.id);
    const isRepeat = item.type === "todo_list" && open !== undefined;
    if (item.type === "reasoning" && this.#options.hidesReasoning) return;
    if (!isRepeat) this.#itemEnd(item, open?.sinceMs);
    this.#showActivity();
  }

  #itemEnd(item: ThreadItem, sinceMs: number | undefined): void {
    const opening = openingLine(item, this.#style);
    if (opening !== undefined && this.#lastOpened !== item.id) this.#print(opening);
    const elapsed = sinceMs === undefined ? "" : formatDuration(this.#streams.now() - sinceMs);
    this.#closing(item, elapsed);
  }

  #closing(item: ThreadItem, duration: string): void {
    const text = closingText(item, duration, this.#style);
    if (text !== undefined) this.#print(text);
  }

  #turnEnded(
    event: Extract<ThreadEvent, { readonly type: "turn.completed" | "turn.failed" }>,
  ): void {
    this.#live?.show(undefined);
    if (event.type === "turn.failed") this.#failure(event);
    const tokens = formatCount(blendedTokens(event.usage));
    this.#print(this.#style.dim(`tokens used: ${tokens}`));
  }

  #failure({ error }: TurnFailed): void {
    if (error.message === this.#lastError) return;
    this.#print(`${this.#style.red("error:")} ${printable(error.message)}`);
  }

  #showActivity(): void {
    const [first, ...others] = [...this.#open.values()]
      .map(({ item }) => activityOf(item))
      .filter((activity) => activity !== undefined);
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    this.#live?.show(first === undefined ? "waiting for the model" : `${first}${more}`);
  }

  #print(text: string): void {
    this.#lastOpened = undefined;
    if (this.#live === undefined) this.#streams.stderr.write(`${text}\n`);
    else this.#live.print(`${text}\n`);
  }
}
