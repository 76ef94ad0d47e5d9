import type { Environment } from "@codex/environment";
import type { Config } from "../config/config.ts";
import type { ToolDefinition } from "../model/model-client.ts";
import type { ModelInfo } from "../model/models.ts";
import type { UnifiedExecManager } from "../unified-exec/manager.ts";
import { createExecCommandTool } from "./exec-command.ts";
import { createListDirTool } from "./list-dir.ts";
import { createReadFileTool } from "./read-file/tool.ts";
import type { Tool } from "./tool.ts";
import { createWriteStdinTool } from "./write-stdin.ts";

export interface ToolParts {
  readonly config: Config;
  readonly modelInfo: ModelInfo;
  readonly environment: Environment;
  /** Undefined when there is no environment: then no command or file tool is offered. */
  readonly unifiedExec: UnifiedExecManager | undefined;
  /** The embedder's own; a name that is taken replaces the built-in tool where it stands. */
  readonly ownTools: readonly Tool[];
}

export interface OfferedTools {
  /** In the order the model is told of them. */
  readonly tools: readonly Tool[];
  /** Names that were asked for and do not exist. */
  readonly unknown: readonly string[];
}

/** The tools of a thread: decided once, from what the model can do and what the configuration says. */
export function offeredTools(parts: ToolParts): OfferedTools {
  const { config, modelInfo, unifiedExec, environment, ownTools } = parts;
  const optional = optionalTools(environment);
  const wanted = modelInfo.experimentalSupportedTools;
  const builtIn: (Tool | undefined)[] = [
    ...(unifiedExec === undefined
      ? []
      : [createExecCommandTool(unifiedExec), createWriteStdinTool(unifiedExec)]),
    ...(config.environment.kind === "none" ? [] : wanted.map((name) => optional.get(name)?.())),
  ];
  const own = new Map(ownTools.map((tool) => [tool.name, tool]));
  const tools = builtIn.flatMap((tool) => (tool === undefined ? [] : [own.get(tool.name) ?? tool]));
  const taken = new Set(tools.map((tool) => tool.name));
  return {
    tools: [...tools, ...ownTools.filter((tool) => !taken.has(tool.name))],
    unknown: wanted.filter((name) => !optional.has(name)),
  };
}

/** Tools that are offered only when the model's table or the configuration names them. */
function optionalTools(environment: Environment): ReadonlyMap<string, () => Tool> {
  const { fileSystem } = environment;
  return new Map([
    ["read_file", () => createReadFileTool({ fileSystem })],
    ["list_dir", () => createListDirTool({ fileSystem })],
  ]);
}

/** Tools the model's server runs itself. */
export function hostedTools(config: Config): ToolDefinition[] {
  if (config.webSearch === "disabled") return [];
  return [{ type: "web_search", external_web_access: config.webSearch === "live" }];
}
