import {
  isCustomToolCall,
  isFunctionCall,
  isToolCallOutput,
  type ResponseItem,
  type ToolCallOutputItem,
} from "@codex/protocol";

/**
 * The conversation so far, append-only: what a request was sent is the beginning of what the next one is sent.
 * Every item gets an id of its kind when the server gave none.
 */
export class History {
  readonly #items: ResponseItem[] = [];
  readonly #newId: () => string;
  readonly #onAppend: (item: ResponseItem) => void;

  constructor(options: {
    readonly newId: () => string;
    readonly onAppend: (item: ResponseItem) => void;
  }) {
    this.#newId = options.newId;
    this.#onAppend = options.onAppend;
  }

  /** Taken over as they are, without telling `onAppend`. */
  restore(items: readonly ResponseItem[]): void {
    this.#items.push(...items);
  }

  append(item: ResponseItem): ResponseItem {
    const kept = this.#withId(item);
    this.#items.push(kept);
    this.#onAppend(kept);
    return kept;
  }

  /** Replaces everything, for a summary or for images a server will not take; `onAppend` is not told. */
  replace(items: readonly ResponseItem[]): void {
    this.#items.length = 0;
    this.#items.push(...items.map((item) => this.#withId(item)));
  }

  /** The items as a request's input: every call answered, no answer without its call. */
  forPrompt(): ResponseItem[] {
    return normalise(this.#items);
  }

  get items(): readonly ResponseItem[] {
    return this.#items;
  }

  #withId(item: ResponseItem): ResponseItem {
    return item.id === undefined
      ? { ...item, id: `${idPrefix(item.type)}_${this.#newId()}` }
      : item;
  }
}

const idPrefixes: Record<string, string> = {
  message: "msg",
  reasoning: "rs",
  function_call: "fc",
  function_call_output: "fco",
  custom_tool_call: "ctc",
  custom_tool_call_output: "ctco",
  web_search_call: "ws",
};

function idPrefix(type: string): string {
  return idPrefixes[type] ?? "item";
}

/** Gives a call without output the output `aborted`, and drops outputs whose call is not there. */
export function normalise(items: readonly ResponseItem[]): ResponseItem[] {
  const answered = new Set<string>();
  const called = new Set<string>();
  for (const item of items) {
    if (isToolCallOutput(item)) answered.add(item.call_id);
    else if (isFunctionCall(item) || isCustomToolCall(item)) called.add(item.call_id);
  }
  const kept: ResponseItem[] = [];
  for (const item of items) {
    if (isToolCallOutput(item) && !called.has(item.call_id)) continue;
    kept.push(item);
    if ((isFunctionCall(item) || isCustomToolCall(item)) && !answered.has(item.call_id))
      kept.push(abortedOutput(item));
  }
  return kept;
}

function abortedOutput(call: ResponseItem & { readonly call_id: string }): ToolCallOutputItem {
  const type =
    call.type === "custom_tool_call" ? "custom_tool_call_output" : "function_call_output";
  // The id comes from the call, so that the same output is the same bytes in every request.
  return {
    type,
    id: `${idPrefix(type)}_${call.call_id}`,
    call_id: call.call_id,
    output: "aborted",
  };
}
