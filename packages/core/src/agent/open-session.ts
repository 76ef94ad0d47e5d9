import type { EnvironmentInfo } from "@codex/environment";
import {
  type MessageItem,
  type ResponseItem,
  textMessage,
  type ThreadEvent,
} from "@codex/protocol";
import { baseInstructions } from "../model/instructions.ts";
import { type ModelInfo, modelInfoFor } from "../model/models.ts";
import { RetryBudget } from "../model/retry.ts";
import { loadProjectDocs, type ProjectDocs } from "../project-doc/read.ts";
import { newThreadId } from "../thread/thread-id.ts";
import { createPatchIntercept } from "../tools/apply-patch/tool.ts";
import { hostedTools, offeredTools, patchOptions } from "../tools/registry.ts";
import { UnifiedExecManager } from "../unified-exec/manager.ts";
import type { AgentOptions } from "./agent.ts";
import { emitConnectionChanges } from "./connection-events.ts";
import { History } from "./history.ts";
import { changedContext, initialContext, recordedContext } from "./initial-context.ts";
import { readOnlyRootWarnings } from "./read-only-roots.ts";
import type { Session } from "./session.ts";
import type { RecordedThread } from "../thread/rollout-reader.ts";
import { beginThread, recordedEvents, rolloutFor, threadWarnings } from "./thread-beginning.ts";
import type { ThreadItems } from "./thread-items.ts";
import { UsageMeter } from "./usage-meter.ts";

export interface OpenSessionOptions extends AgentOptions {
  readonly threadId: string;
  readonly resumed?: ResumedThread | undefined;
  readonly emit: (event: ThreadEvent) => void;
  readonly signal: AbortSignal;
}

/** A thread that is taken up again, and the file it was read from, which is written on. */
export interface ResumedThread {
  readonly recorded: RecordedThread;
  readonly path: string;
}

/**
 * Opens a thread: asks the environment about itself, reads the project's docs through it, and only then writes the
 * first lines and events. Rejects, with nothing emitted, when the environment cannot be reached.
 */
export async function openSession(options: OpenSessionOptions): Promise<Session> {
  const { config, environment, signal } = options;
  const info = await environment.info(signal);
  const [docs, rootWarnings] = await Promise.all([
    readProjectDocs(options, info),
    readOnlyRootWarnings(environment.fileSystem, config.sandbox, signal),
  ]);
  const modelInfo = modelInfoFor(config.model, {
    experimentalSupportedTools: config.experimentalSupportedTools,
  });
  const now = options.now ?? Date.now;
  const rollout = rolloutFor(options, now);
  const { emit, items } = recordedEvents(options, rollout);
  const stopConnectionEvents = emitConnectionChanges(environment, emit);
  const history = new History({
    newId: () => newThreadId(now()),
    onAppend: (item) => rollout.write("response_item", item),
  });
  const unifiedExec =
    config.environment.kind === "none"
      ? undefined
      : unifiedExecFor({ options, info, items, modelInfo, history, now });
  const ownTools = options.tools ?? [];
  const offered = offeredTools({
    config,
    modelInfo,
    environment,
    info,
    unifiedExec,
    ownTools,
    now,
  });
  const random = options.random ?? Math.random;
  const instructions = config.baseInstructions ?? baseInstructions(modelInfo);
  beginThread({ options, info, rollout, instructions, environment, emit });
  for (const message of threadWarnings({ options, docs, rootWarnings, modelInfo, offered }))
    items.add({ type: "error", message });
  const first = initialContext({ config, info, projectDocs: docs.text, ...todayOf(options, now) });
  const context = beginConversation(history, first, options.resumed);
  return {
    threadId: options.threadId,
    config,
    environment,
    info,
    model: options.model,
    modelInfo,
    instructions,
    tools: new Map(offered.tools.map((tool) => [tool.name, tool])),
    toolDefinitions: [...offered.tools.map((tool) => tool.definition), ...hostedTools(config)],
    history,
    context,
    items,
    usage: new UsageMeter(options.resumed?.recorded.usage),
    rollout,
    emit,
    newRetryBudget: () => new RetryBudget({ ...config.modelProvider, random }),
    now,
    completeOpenItems() {
      offered.completePlan();
      unifiedExec?.completeOpenItems();
      items.completeOpen();
    },
    async [Symbol.asyncDispose]() {
      stopConnectionEvents();
      await unifiedExec?.[Symbol.asyncDispose]();
      rollout[Symbol.dispose]();
    },
  };
}

/**
 * A new conversation begins with the whole context, a resumed one goes on with what has changed in it. Outputs that
 * had no place in the file get one now, so that they stay there when it is resumed again.
 */
function beginConversation(
  history: History,
  first: readonly MessageItem[],
  resumed: ResumedThread | undefined,
): readonly ResponseItem[] {
  if (resumed === undefined) return first.map((item) => history.append(item));
  history.restore(resumed.recorded.items);
  for (const output of resumed.recorded.lostOutputs) history.append(output);
  for (const item of changedContext(first, resumed.recorded.items)) history.append(item);
  return recordedContext(resumed.recorded.items);
}

function readProjectDocs(
  { config, environment, signal }: OpenSessionOptions,
  info: EnvironmentInfo,
): Promise<ProjectDocs> {
  return loadProjectDocs({
    fileSystem: environment.fileSystem,
    cwd: info.cwd,
    // A mapped workspace is all that was lent of the machine: what lies above it is not asked for.
    stopAt: isMapped(config) ? info.cwd : undefined,
    markers: config.projectRootMarkers,
    fallbackFilenames: config.projectDocFallbackFilenames,
    maxBytes: config.environment.kind === "none" ? 0 : config.projectDocMaxBytes,
    signal,
  });
}

function isMapped({ environment }: OpenSessionOptions["config"]): boolean {
  return "workspaceRoot" in environment && environment.workspaceRoot !== undefined;
}

interface UnifiedExecParts {
  readonly options: OpenSessionOptions;
  readonly info: EnvironmentInfo;
  readonly items: ThreadItems;
  readonly modelInfo: ModelInfo;
  readonly history: History;
  readonly now: () => number;
}

function unifiedExecFor({
  options,
  info,
  items,
  modelInfo,
  history,
  now,
}: UnifiedExecParts): UnifiedExecManager {
  const { config, environment, threadId } = options;
  return new UnifiedExecManager({
    environment,
    items,
    threadId,
    cwd: info.cwd,
    shellEnvironmentPolicy: config.shellEnvironmentPolicy,
    sandbox: config.sandbox,
    allowLoginShell: config.allowLoginShell,
    emptyPollMaxMs: config.backgroundTerminalMaxTimeoutMs,
    outputBudget: modelInfo.outputBudget,
    outputTokenLimit: config.toolOutputTokenLimit,
    ids: options.sessionIds ?? "random",
    warn: (message) => history.append(textMessage("user", `Warning: ${message}`)),
    intercept: createPatchIntercept(patchOptions({ config, environment, info, now })),
    ...(options.random === undefined ? {} : { random: options.random }),
  });
}

function todayOf({ today }: OpenSessionOptions, now: () => number) {
  if (today !== undefined) return today();
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const date = new Intl.DateTimeFormat("en-CA", { timeZone: timezone, dateStyle: "short" });
  return { currentDate: date.format(now()), timezone };
}
