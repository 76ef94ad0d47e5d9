export type { Config, EnvironmentSelection, ModelProvider } from "./config/config.ts";
export {
  type ModelClient,
  ModelError,
  type ModelErrorKind,
  type ModelEvent,
  type Prompt,
  type ToolDefinition,
} from "./model/model-client.ts";
export type { ModelInfo, OutputBudget } from "./model/models.ts";
export { defineTool, type FunctionTool } from "./tools/define-tool.ts";
export {
  type ItemSink,
  type NewThreadItem,
  type OpenItem,
  RespondToModelError,
  type Tool,
  type ToolCall,
  type ToolContext,
  type ToolOutput,
} from "./tools/tool.ts";
export {
  ConfigError,
  type ConfigErrorKind,
  type ConfigErrorLocation,
  type SourceRange,
} from "./config/config-error.ts";
export type { ConfigFlags } from "./config/flags.ts";
export type { ConfigLayer, LayerKind, Origins } from "./config/layers.ts";
export { loadConfig, type LoadConfigOptions, type LoadedConfig } from "./config/load.ts";
export { createExecTools } from "./tools/exec-tools.ts";
export {
  approximateTokens,
  budgetBytes,
  truncateMiddle,
  truncateWithLineCount,
} from "./tools/truncation.ts";
export { type Clock, systemClock } from "./unified-exec/clock.ts";
export {
  type CommandResult,
  type ExecResult,
  execResultText,
  type InterceptedResult,
} from "./unified-exec/exec-result.ts";
export {
  type CommandIntercept,
  type ExecCommandRequest,
  UnifiedExecManager,
  type UnifiedExecOptions,
  type WriteStdinRequest,
} from "./unified-exec/manager.ts";
export { UnifiedExecError, type UnifiedExecErrorKind } from "./unified-exec/unified-exec-error.ts";
