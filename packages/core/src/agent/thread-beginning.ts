import type { Environment, EnvironmentInfo } from "@codex/environment";
import { type ThreadEvent, threadEventSchemaVersion } from "@codex/protocol";
import type { ModelInfo } from "../model/models.ts";
import type { ProjectDocs } from "../project-doc/read.ts";
import {
  noRollout,
  openRollout,
  type RolloutWriter,
  rolloutPath,
} from "../thread/rollout-writer.ts";
import type { OfferedTools } from "../tools/registry.ts";
import type { OpenSessionOptions } from "./open-session.ts";
import { ThreadItems } from "./thread-items.ts";

export interface Beginning {
  readonly options: OpenSessionOptions;
  readonly info: EnvironmentInfo;
  readonly environment: Environment;
  readonly rollout: RolloutWriter;
  readonly instructions: string;
  readonly emit: (event: ThreadEvent) => void;
}

export function beginThread({
  options,
  info,
  environment,
  rollout,
  instructions,
  emit,
}: Beginning): void {
  const { config, threadId, originator = "codex_exec", version = "0" } = options;
  if (options.resumed === undefined)
    rollout.write("session_meta", {
      id: threadId,
      timestamp: new Date(options.now?.() ?? Date.now()).toISOString(),
      cwd: info.cwd,
      workdir: config.cwd,
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

export interface WarningParts {
  readonly options: OpenSessionOptions;
  readonly docs: ProjectDocs;
  readonly rootWarnings: readonly string[];
  readonly modelInfo: ModelInfo;
  readonly offered: OfferedTools;
}

export function threadWarnings(parts: WarningParts): string[] {
  const { options, docs, rootWarnings, modelInfo, offered } = parts;
  const { model, warnings } = options.config;
  const recordedModel = options.resumed?.recorded.model ?? model;
  return [
    ...warnings,
    ...docs.warnings,
    ...rootWarnings,
    ...(modelInfo.isKnown
      ? []
      : [
          `Model metadata for \`${model}\` not found. Defaults are used, which may be worse than the model's own.`,
        ]),
    ...(recordedModel === model
      ? []
      : [`This thread was last answered by \`${recordedModel}\` and goes on with \`${model}\`.`]),
    ...offered.unknown.map(
      (name) =>
        `experimental_supported_tools names \`${name}\`, which is no tool here; it is left out.`,
    ),
  ];
}

export function rolloutFor(
  { config, threadId, isEphemeral, resumed }: OpenSessionOptions,
  now: () => number,
): RolloutWriter {
  if (isEphemeral) return noRollout;
  const clock = (): Date => new Date(now());
  if (resumed === undefined)
    return openRollout(rolloutPath(config.codexHome, threadId, clock()), clock);
  const startsOnNewLine = !resumed.recorded.endsWithNewline;
  return openRollout(resumed.path, clock, { startsOnNewLine });
}

/** Every completed item is in the rollout before its event is out. */
export function recordedEvents({ emit, threadId }: OpenSessionOptions, rollout: RolloutWriter) {
  const recorded = (event: ThreadEvent): void => {
    if (event.type === "item.completed")
      rollout.write("event_msg", { type: "item_completed", thread_id: threadId, item: event.item });
    emit(event);
  };
  return { emit: recorded, items: new ThreadItems(recorded) };
}
