import type { Environment, EnvironmentInfo } from "@codex/environment";
import type { ResponseItem, ThreadEvent, TokenUsage } from "@codex/protocol";
import type { Config } from "../config/config.ts";
import type { ModelClient, ModelError, ToolDefinition } from "../model/model-client.ts";
import type { ModelInfo } from "../model/models.ts";
import type { RolloutWriter } from "../thread/rollout-writer.ts";
import type { Tool } from "../tools/tool.ts";
import type { History } from "./history.ts";
import { unsupportedImage, withoutImages } from "./image-note.ts";
import type { ThreadItems } from "./thread-items.ts";
import type { UsageMeter } from "./usage-meter.ts";

/** Decides about one more attempt after a failure; made anew for every request. */
export interface Retries {
  next(error: ModelError): { readonly delayMs: number; readonly message: string } | undefined;
}

/** The live side of one thread: everything a turn needs. Disposing ends its processes and closes its rollout. */
export interface Session extends AsyncDisposable {
  readonly threadId: string;
  readonly config: Config;
  readonly environment: Environment;
  readonly info: EnvironmentInfo;
  readonly model: ModelClient;
  readonly modelInfo: ModelInfo;
  readonly instructions: string;
  readonly tools: ReadonlyMap<string, Tool>;
  /** Ours, then those the server runs itself. */
  readonly toolDefinitions: readonly ToolDefinition[];
  readonly history: History;
  /** The items every conversation of this thread begins with, as they are in the history. */
  readonly context: readonly ResponseItem[];
  readonly items: ThreadItems;
  readonly usage: UsageMeter;
  readonly rollout: RolloutWriter;
  readonly emit: (event: ThreadEvent) => void;
  readonly newRetryBudget: () => Retries;
  readonly now: () => number;
  /** At the end of every turn: items that are still open are completed. */
  readonly completeOpenItems: () => void;
}

/** The settings a turn runs with, as its rollout keeps them. */
export function turnSettings({ config, info, environment }: Session) {
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
export function promptInput({ history, modelInfo }: Session): ResponseItem[] {
  const input = history.forPrompt();
  if (modelInfo.supportsImages) return input;
  return withoutImages(input, unsupportedImage) ?? input;
}

/** Counts an answer, here and in the rollout. */
export function addUsage(
  { usage, rollout }: Session,
  added: TokenUsage,
  totalTokens: number | undefined,
): void {
  usage.add(added, totalTokens);
  rollout.write("event_msg", {
    type: "token_count",
    usage: added,
    turn: usage.turn,
    thread: usage.thread,
  });
}
