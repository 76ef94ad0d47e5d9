import type { Environment, EnvironmentInfo } from "@codex/environment";
import {
  addTokens,
  noTokens,
  type ResponseItem,
  type ThreadEvent,
  type TokenUsage,
} from "@codex/protocol";
import type { Config } from "../config/config.ts";
import type { ModelClient, ModelError, ToolDefinition } from "../model/model-client.ts";
import type { ModelInfo } from "../model/models.ts";
import type { RolloutWriter } from "../thread/rollout-writer.ts";
import type { Tool } from "../tools/tool.ts";
import type { History } from "./history.ts";
import { unsupportedImage, withoutImages } from "./image-note.ts";
import type { ThreadItems } from "./thread-items.ts";

/** Decides about one more attempt after a failure; made anew for every request. */
export interface Retries {
  next(error: ModelError): { readonly delayMs: number; readonly message: string } | undefined;
}

export interface SessionParts {
  readonly threadId: string;
  readonly config: Config;
  readonly environment: Environment;
  readonly info: EnvironmentInfo;
  readonly model: ModelClient;
  readonly modelInfo: ModelInfo;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** Tools the server runs itself, told to the model after ours. */
  readonly hostedTools: readonly ToolDefinition[];
  readonly history: History;
  /** The items every conversation of this thread begins with, as they are in the history. */
  readonly context: readonly ResponseItem[];
  readonly items: ThreadItems;
  readonly rollout: RolloutWriter;
  readonly emit: (event: ThreadEvent) => void;
  readonly newRetryBudget: () => Retries;
  readonly now: () => number;
  /** Tokens used before this session, when the thread is taken up again. */
  readonly usage?: TokenUsage;
  /** At the end of every turn: items that are still open are completed. */
  readonly completeOpenItems: () => void;
  readonly dispose: () => Promise<void>;
}

/** The live side of one thread: everything a turn needs, and what has been used so far. */
export class Session implements AsyncDisposable {
  readonly threadId: string;
  readonly config: Config;
  readonly environment: Environment;
  readonly info: EnvironmentInfo;
  readonly model: ModelClient;
  readonly modelInfo: ModelInfo;
  readonly instructions: string;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly toolDefinitions: readonly ToolDefinition[];
  readonly history: History;
  /** The items every conversation of this thread begins with, as they are in the history. */
  readonly context: readonly ResponseItem[];
  readonly items: ThreadItems;
  readonly rollout: RolloutWriter;
  readonly emit: (event: ThreadEvent) => void;
  readonly newRetryBudget: () => Retries;
  readonly now: () => number;
  readonly completeOpenItems: () => void;
  readonly #dispose: () => Promise<void>;
  #threadUsage: TokenUsage;
  #turnUsage: TokenUsage = noTokens;
  #contextTokens = 0;
  #toolFailures = 0;

  constructor(parts: SessionParts) {
    this.threadId = parts.threadId;
    this.config = parts.config;
    this.environment = parts.environment;
    this.info = parts.info;
    this.model = parts.model;
    this.modelInfo = parts.modelInfo;
    this.instructions = parts.instructions;
    this.tools = new Map(parts.tools.map((tool) => [tool.name, tool]));
    this.toolDefinitions = [...parts.tools.map((tool) => tool.definition), ...parts.hostedTools];
    this.history = parts.history;
    this.context = parts.context;
    this.items = parts.items;
    this.rollout = parts.rollout;
    this.emit = parts.emit;
    this.newRetryBudget = parts.newRetryBudget;
    this.now = parts.now;
    this.completeOpenItems = parts.completeOpenItems;
    this.#dispose = parts.dispose;
    this.#threadUsage = parts.usage ?? noTokens;
  }

  /** The settings a turn runs with, as its rollout keeps them. */
  get settings() {
    const { config, info, environment } = this;
    return {
      cwd: info.cwd,
      workdir: config.cwd,
      environment: environment.name,
      model: config.model,
      model_provider: config.modelProvider.id,
      effort: config.modelReasoningEffort ?? null,
      approval_policy: "never",
      sandbox_policy: config.sandbox,
    };
  }

  /** The conversation as the next request sends it; images are left out for a model that cannot look at them. */
  promptInput(): ResponseItem[] {
    const input = this.history.forPrompt();
    if (this.modelInfo.supportsImages) return input;
    return withoutImages(input, unsupportedImage) ?? input;
  }

  /** Over the whole thread. */
  get threadUsage(): TokenUsage {
    return this.#threadUsage;
  }

  /** Since `startTurn`. */
  get turnUsage(): TokenUsage {
    return this.#turnUsage;
  }

  /** Tokens of the last request and its answer, as the server counted them. */
  get contextTokens(): number {
    return this.#contextTokens;
  }

  /** Tool calls that failed since `startTurn`. */
  get toolFailures(): number {
    return this.#toolFailures;
  }

  /** After a summary: the size of the new context is not known before the next answer. */
  forgetContextTokens(): void {
    this.#contextTokens = 0;
  }

  startTurn(): void {
    this.#turnUsage = noTokens;
    this.#toolFailures = 0;
  }

  addToolFailures(count: number): void {
    this.#toolFailures += count;
  }

  addUsage(usage: TokenUsage, totalTokens: number | undefined): void {
    this.#turnUsage = addTokens(this.#turnUsage, usage);
    this.#threadUsage = addTokens(this.#threadUsage, usage);
    this.#contextTokens = totalTokens ?? usage.input_tokens + usage.output_tokens;
    this.rollout.write("event_msg", {
      type: "token_count",
      usage,
      turn: this.#turnUsage,
      thread: this.#threadUsage,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dispose();
    this.rollout[Symbol.dispose]();
  }
}
