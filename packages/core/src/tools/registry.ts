import type { Environment, EnvironmentInfo } from "@codex/environment";
import type { Config } from "../config/config.ts";
import type { ToolDefinition } from "../model/model-client.ts";
import type { ModelInfo } from "../model/models.ts";
import type { UnifiedExecManager } from "../unified-exec/manager.ts";
import { type ApplyPatchOptions, createApplyPatchTool } from "./apply-patch/tool.ts";
import { createExecTools } from "./exec-tools.ts";
import { createGrepFilesTool } from "./grep-files.ts";
import { createListDirTool } from "./list-dir.ts";
import { createReadFileTool } from "./read-file/tool.ts";
import { createRequestUserInputTool } from "./request-user-input.ts";
import type { Tool } from "./tool.ts";
import { createUpdatePlanTool, type UpdatePlanTool } from "./update-plan.ts";
import { createViewImageTool } from "./view-image.ts";

export interface ToolParts {
  readonly config: Config;
  readonly modelInfo: ModelInfo;
  readonly environment: Environment;
  readonly info: EnvironmentInfo;
  /** Undefined when there is no environment: then no command or file tool is offered. */
  readonly unifiedExec: UnifiedExecManager | undefined;
  /** The embedder's own; a name that is taken replaces the built-in tool where it stands. */
  readonly ownTools: readonly Tool[];
  readonly now: () => number;
}

export interface OfferedTools {
  /** In the order the model is told of them. */
  readonly tools: readonly Tool[];
  /** Names that were asked for and do not exist. */
  readonly unknown: readonly string[];
  /** The turn ends: a plan that was shown is completed as it stands. */
  readonly completePlan: () => void;
}

/** The tools of a thread: decided once, from what the model can do and what the configuration says. */
export function offeredTools(parts: ToolParts): OfferedTools {
  const { config, modelInfo, ownTools } = parts;
  const plan: UpdatePlanTool | undefined = config.tools.updatePlan
    ? createUpdatePlanTool()
    : undefined;
  const optional = optionalTools(parts);
  const wanted = modelInfo.experimentalSupportedTools;
  const builtIn = [
    ...(parts.unifiedExec === undefined || config.features["shell_tool"] === false
      ? []
      : createExecTools(parts.unifiedExec)),
    ...(plan === undefined ? [] : [plan]),
    ...(config.tools.requestUserInput ? [createRequestUserInputTool()] : []),
    ...(parts.unifiedExec === undefined ? [] : fileTools(parts, wanted, optional)),
  ];
  const own = new Map(ownTools.map((tool) => [tool.name, tool]));
  const tools = builtIn.map((tool) => own.get(tool.name) ?? tool);
  const taken = new Set(tools.map((tool) => tool.name));
  return {
    tools: [...tools, ...ownTools.filter((tool) => !taken.has(tool.name))],
    unknown: wanted.filter((name) => !optional.has(name)),
    completePlan: () => plan?.completePlan(),
  };
}

function fileTools(
  parts: ToolParts,
  wanted: readonly string[],
  optional: ReadonlyMap<string, () => Tool>,
): Tool[] {
  const { config, modelInfo, environment, info } = parts;
  const patch =
    modelInfo.applyPatch === "none"
      ? []
      : [createApplyPatchTool(modelInfo.applyPatch, patchOptions(parts))];
  const named = wanted.flatMap((name) => optional.get(name)?.() ?? []);
  if (!config.tools.viewImage) return [...patch, ...named];
  const { supportsImages, imageDetail } = modelInfo;
  const image = createViewImageTool({
    fileSystem: environment.fileSystem,
    cwd: info.cwd,
    supportsImages,
    detail: imageDetail,
  });
  return [...patch, ...named, image];
}

/** What apply_patch works with, as a tool and inside a shell command. */
export function patchOptions(
  parts: Pick<ToolParts, "config" | "environment" | "info" | "now">,
): ApplyPatchOptions {
  const { config, environment, info, now } = parts;
  return {
    fileSystem: environment.fileSystem,
    cwd: info.cwd,
    sandbox: config.sandbox,
    temporaryDirectory: info.tempDirectory,
    environment: environment.name === "local" ? undefined : environment.name,
    now,
  };
}

/** Tools that are offered only when the model's table or the configuration names them. */
function optionalTools({ environment, info, config }: ToolParts): ReadonlyMap<string, () => Tool> {
  const { fileSystem } = environment;
  const env = { ...config.shellEnvironmentPolicy, overlay: {} };
  return new Map([
    [
      "grep_files",
      () => createGrepFilesTool({ environment, cwd: info.cwd, env, sandbox: config.sandbox }),
    ],
    ["read_file", () => createReadFileTool({ fileSystem })],
    ["list_dir", () => createListDirTool({ fileSystem })],
  ]);
}

/** Tools the model's server runs itself. */
export function hostedTools(config: Config): ToolDefinition[] {
  if (config.webSearch === "disabled") return [];
  return [{ type: "web_search", external_web_access: config.webSearch === "live" }];
}
