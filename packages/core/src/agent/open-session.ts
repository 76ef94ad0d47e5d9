import type { Environment, EnvironmentInfo } from "@codex/environment";
import { type ThreadEvent, threadEventSchemaVersion } from "@codex/protocol";
import { baseInstructions } from "../model/instructions.ts";
import { type ModelInfo, modelInfoFor } from "../model/models.ts";
import { RetryBudget } from "../model/retry.ts";
import { loadProjectDocs, type ProjectDocs } from "../project-doc/read.ts";
import {
  noRollout,
  openRollout,
  type RolloutWriter,
  rolloutPath,
} from "../thread/rollout-writer.ts";
import { newThreadId } from "../thread/thread-id.ts";
import { hostedTools, type OfferedTools, offeredTools } from "../tools/registry.ts";
import { UnifiedExecManager } from "../unified-exec/manager.ts";
import type { AgentOptions } from "./agent.ts";
import { History } from "./history.ts";
import { initialContext } from "./initial-context.ts";
import { Session } from "./session.ts";
import { ThreadItems } from "./thread-items.ts";

export interface OpenSessionOptions extends AgentOptions {
  readonly threadId: string;
  readonly emit: (event: ThreadEvent) => void;
  readonly signal: AbortSignal;
}

/**
 * Opens a thread: asks the environment about itself, reads the project's docs through it, and only then writes the
 * first lines and events. Rejects, with nothing emitted, when the environment cannot be reached.
 */
export async function openSession(options: OpenSessionOptions): Promise<Session> {
  const { config, environment, signal } = options;
  const info = await environment.info(signal);
  const docs = await readProjectDocs(options, info);
  const modelInfo = modelInfoFor(config.model, {
    experimentalSupportedTools: config.experimentalSupportedTools,
  });
  const now = options.now ?? Date.now;
  const rollout = rolloutFor(options, now);
  const { emit, items } = recordedEvents(options, rollout);
  const unifiedExec =
    config.environment.kind === "none"
      ? undefined
      : unifiedExecFor({ options, info, items, modelInfo });
  const offered = offeredTools({
    config,
    modelInfo,
    environment,
    unifiedExec,
    ownTools: options.tools ?? [],
  });
  const random = options.random ?? Math.random;
  const history = new History({
    newId: () => newThreadId(now()),
    onAppend: (item) => rollout.write("response_item", item),
  });
  const instructions = config.baseInstructions ?? baseInstructions(modelInfo);
  begin({ options, info, rollout, instructions, environment, emit });
  for (const message of threadWarnings({ options, docs, modelInfo, offered }))
    items.add({ type: "error", message });
  for (const item of initialContext({
    config,
    info,
    projectDocs: docs.text,
    ...today(options, now),
  }))
    history.append(item);
  return new Session({
    threadId: options.threadId,
    config,
    environment,
    info,
    model: options.model,
    modelInfo,
    instructions,
    tools: offered.tools,
    hostedTools: hostedTools(config),
    history,
    items,
    rollout,
    emit,
    newRetryBudget: () => new RetryBudget({ ...config.modelProvider, random }),
    now,
    completeOpenItems: () => unifiedExec?.completeOpenItems(),
    dispose: async () => unifiedExec?.[Symbol.asyncDispose](),
  });
}

function readProjectDocs(
  { config, environment, signal }: OpenSessionOptions,
  info: EnvironmentInfo,
): Promise<ProjectDocs> {
  return loadProjectDocs({
    fileSystem: environment.fileSystem,
    cwd: info.cwd,
    markers: config.projectRootMarkers,
    fallbackFilenames: config.projectDocFallbackFilenames,
    maxBytes: config.environment.kind === "none" ? 0 : config.projectDocMaxBytes,
    signal,
  });
}

function rolloutFor(
  { config, threadId, isEphemeral }: OpenSessionOptions,
  now: () => number,
): RolloutWriter {
  if (isEphemeral) return noRollout;
  return openRollout(
    rolloutPath(config.codexHome, threadId, new Date(now())),
    () => new Date(now()),
  );
}

/** Every completed item is in the rollout before its event is out. */
function recordedEvents({ emit, threadId }: OpenSessionOptions, rollout: RolloutWriter) {
  const recorded = (event: ThreadEvent): void => {
    if (event.type === "item.completed")
      rollout.write("event_msg", { type: "item_completed", thread_id: threadId, item: event.item });
    emit(event);
  };
  return { emit: recorded, items: new ThreadItems(recorded) };
}

interface UnifiedExecParts {
  readonly options: OpenSessionOptions;
  readonly info: EnvironmentInfo;
  readonly items: ThreadItems;
  readonly modelInfo: ModelInfo;
}

function unifiedExecFor({ options, info, items, modelInfo }: UnifiedExecParts): UnifiedExecManager {
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
    ...(options.random === undefined ? {} : { random: options.random }),
  });
}

interface Beginning {
  readonly options: OpenSessionOptions;
  readonly info: EnvironmentInfo;
  readonly environment: Environment;
  readonly rollout: RolloutWriter;
  readonly instructions: string;
  readonly emit: (event: ThreadEvent) => void;
}

function begin({ options, info, environment, rollout, instructions, emit }: Beginning): void {
  const { config, threadId, originator = "codex_exec", version = "0" } = options;
  rollout.write("session_meta", {
    id: threadId,
    timestamp: new Date(options.now?.() ?? Date.now()).toISOString(),
    cwd: info.cwd,
    originator,
    cli_version: version,
    source: "exec",
    model: config.model,
    model_provider: config.modelProvider.id,
    environment: environment.name,
    base_instructions: { text: instructions },
  });
  const elsewhere = environment.name === "local" ? {} : { environment: environment.name };
  emit({
    type: "thread.started",
    thread_id: threadId,
    schema_version: threadEventSchemaVersion,
    ...elsewhere,
  });
}

interface WarningParts {
  readonly options: OpenSessionOptions;
  readonly docs: ProjectDocs;
  readonly modelInfo: ModelInfo;
  readonly offered: OfferedTools;
}

function threadWarnings({ options, docs, modelInfo, offered }: WarningParts): string[] {
  const { model, warnings } = options.config;
  return [
    ...warnings,
    ...docs.warnings,
    ...(modelInfo.isKnown
      ? []
      : [
          `Model metadata for \`${model}\` not found. Defaults are used, which may be worse than the model's own.`,
        ]),
    ...offered.unknown.map(
      (name) =>
        `experimental_supported_tools names \`${name}\`, which is no tool here; it is left out.`,
    ),
  ];
}

function today(
  { timezone }: OpenSessionOptions,
  now: () => number,
): { currentDate: string; timezone: string } {
  const zone = timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const currentDate = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    dateStyle: "short",
  }).format(now());
  return { currentDate, timezone: zone };
}
