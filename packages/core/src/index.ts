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
