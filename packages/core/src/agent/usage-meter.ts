import { addTokens, noTokens, type TokenUsage } from "@codex/protocol";

/** What a thread has used: over all, in the turn that runs, and in the last request. */
export class UsageMeter {
  #thread: TokenUsage;
  #turn: TokenUsage = noTokens;
  #contextTokens = 0;
  #toolFailures = 0;

  /** `before`: used by earlier runs of the thread. */
  constructor(before: TokenUsage = noTokens) {
    this.#thread = before;
  }

  /** Over the whole thread. */
  get thread(): TokenUsage {
    return this.#thread;
  }

  /** Since `startTurn`. */
  get turn(): TokenUsage {
    return this.#turn;
  }

  /** Tokens of the last request and its answer, as the server counted them; 0 when that is not known. */
  get contextTokens(): number {
    return this.#contextTokens;
  }

  /** Tool calls since `startTurn` that did not do what they were asked to. */
  get toolFailures(): number {
    return this.#toolFailures;
  }

  startTurn(): void {
    this.#turn = noTokens;
    this.#toolFailures = 0;
  }

  add(usage: TokenUsage, totalTokens: number | undefined): void {
    this.#turn = addTokens(this.#turn, usage);
    this.#thread = addTokens(this.#thread, usage);
    this.#contextTokens = totalTokens ?? usage.input_tokens + usage.output_tokens;
  }

  addToolFailures(count: number): void {
    this.#toolFailures += count;
  }

  /** After a summary: the size of the new context is not known before the next answer. */
  forgetContext(): void {
    this.#contextTokens = 0;
  }
}
