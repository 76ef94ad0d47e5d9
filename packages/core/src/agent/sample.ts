import {
  isCustomToolCall,
  isFunctionCall,
  isMessage,
  isReasoning,
  isWebSearchCall,
  messageText,
  type ReasoningItem,
  type ResponseItem,
  type WebSearchCallItem,
} from "@codex/protocol";
import { setTimeout as delay } from "node:timers/promises";
import { ModelError, type ModelEvent } from "../model/model-client.ts";
import type { OpenItem } from "../tools/tool.ts";
import { historyBudget } from "./recorded-output.ts";
import { searchItem } from "./search-item.ts";
import { addUsage, promptInput, type Session } from "./session.ts";
import { ToolCalls, ToolFailure } from "./tool-calls.ts";

/** What one response of the model came to, its tool calls run and answered. */
export interface Sampling {
  /** Tools were called: the model has to be asked again. */
  readonly needsFollowUp: boolean;
  /** Text of the last assistant message, if there was one. */
  readonly lastMessage: string | undefined;
}

export interface SampleOptions {
  readonly turnId: string;
  readonly outputSchema: unknown;
  readonly signal: AbortSignal;
}

/**
 * Asks the model once, again and again while the failure is one that passes. What a broken answer had brought is
 * kept: a tool that ran is never run twice.
 */
export async function sample(session: Session, options: SampleOptions): Promise<Sampling> {
  const retries = session.newRetryBudget();
  let lastMessage: string | undefined;
  for (;;) {
    const attempt = new Attempt(session, options);
    const failure = await attempt.run();
    lastMessage = attempt.lastMessage ?? lastMessage;
    if (failure === undefined) return { needsFollowUp: attempt.calledTools, lastMessage };
    const retry = failure.error instanceof ModelError ? retries.next(failure.error) : undefined;
    if (retry === undefined) throw failure.error;
    session.emit({ type: "error", message: retry.message });
    await delay(retry.delayMs, undefined, { signal: options.signal });
  }
}

class Attempt {
  readonly #session: Session;
  readonly #options: SampleOptions;
  readonly #calls: ToolCalls;
  readonly #searches = new Map<string, OpenItem>();
  lastMessage: string | undefined;

  constructor(session: Session, options: SampleOptions) {
    this.#session = session;
    this.#options = options;
    this.#calls = new ToolCalls({
      tools: session.tools,
      items: session.items,
      turnId: options.turnId,
      signal: options.signal,
      now: session.now,
      outputBudget: historyBudget(
        session.modelInfo.outputBudget,
        session.config.toolOutputTokenLimit,
      ),
      onOutput: (output) => session.rollout.write("tool_output", output),
    });
  }

  get calledTools(): boolean {
    return this.#calls.count > 0;
  }

  /** Runs to its end and past its tools; gives the failure instead of throwing, after what was done is recorded. */
  async run(): Promise<{ readonly error: unknown } | undefined> {
    let failure: { readonly error: unknown } | undefined;
    try {
      for await (const event of this.#session.model.stream(this.#prompt(), this.#options.signal))
        this.#handle(event);
    } catch (error) {
      failure = { error };
    }
    try {
      this.#append(await this.#calls.settle());
    } catch (error) {
      if (error instanceof ToolFailure) this.#append(error.outputs);
      failure = { error };
    }
    this.#session.usage.addToolFailures(this.#calls.failures);
    if (failure === undefined && this.#options.signal.aborted)
      failure = { error: this.#options.signal.reason };
    return failure;
  }

  #prompt() {
    const { threadId, instructions, toolDefinitions } = this.#session;
    const { turnId, outputSchema } = this.#options;
    const prompt = {
      threadId,
      turnId,
      instructions,
      input: promptInput(this.#session),
      tools: toolDefinitions,
    };
    return outputSchema === undefined ? prompt : { ...prompt, outputSchema };
  }

  #append(outputs: readonly ResponseItem[]): void {
    for (const output of outputs) this.#session.history.append(output);
  }

  #handle(event: ModelEvent): void {
    switch (event.type) {
      case "item.added":
        if (isWebSearchCall(event.item)) this.#startSearch(event.item);
        return;
      case "item.done":
        this.#itemDone(event.item);
        return;
      case "completed":
        if (event.usage !== undefined) addUsage(this.#session, event.usage, event.totalTokens);
        return;
      case "created":
      case "text.delta":
      case "reasoning.delta":
        return;
    }
  }

  #itemDone(item: ResponseItem): void {
    const kept = this.#session.history.append(item);
    if (isFunctionCall(kept) || isCustomToolCall(kept)) this.#calls.start(kept);
    else if (isMessage(kept)) this.#message(messageText(kept));
    else if (isReasoning(kept)) this.#reasoning(kept);
    else if (isWebSearchCall(kept)) this.#completeSearch(kept);
  }

  #message(text: string): void {
    this.lastMessage = text;
    this.#session.items.add({ type: "agent_message", text });
  }

  #reasoning(item: ReasoningItem): void {
    const text = item.summary.map((part) => part.text ?? "").join("\n");
    if (text !== "" && !this.#session.config.hideAgentReasoning)
      this.#session.items.add({ type: "reasoning", text });
  }

  #startSearch(item: WebSearchCallItem): void {
    this.#searches.set(
      item.id ?? "",
      this.#session.items.start({ type: "web_search", query: "", action: { type: "other" } }),
    );
  }

  #completeSearch(item: WebSearchCallItem): void {
    const done = searchItem(item);
    const open = this.#searches.get(item.id ?? "");
    if (open === undefined) this.#session.items.add(done);
    else open.complete(done);
  }
}
