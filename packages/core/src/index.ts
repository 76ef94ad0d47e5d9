export { type Agent, type AgentOptions, createAgent } from "./agent/agent.ts";
export type { TurnLimits } from "./agent/budget.ts";
export type { ResumedThread } from "./agent/open-session.ts";
export type { RunOptions, Thread, TurnResult } from "./agent/thread.ts";
export { TurnInterrupted } from "./agent/turn-failure.ts";
export type { InputImage, TurnInput } from "./agent/turn-input.ts";
export type { Config, EnvironmentSelection, ModelProvider } from "./config/config.ts";
export type { OpenEnvironmentContext } from "./environments/connect-executor.ts";
export { EnvironmentError } from "./environments/environment-error.ts";
export { openEnvironment } from "./environments/open-environment.ts";
export { resolveApiKey } from "./model/api-key.ts";
export { baseInstructions } from "./model/instructions.ts";
export {
  type ModelClient,
  ModelError,
  type ModelErrorKind,
  type ModelEvent,
  type Prompt,
  type ToolDefinition,
} from "./model/model-client.ts";
export {
  defaultModel,
  type ModelInfo,
  modelInfoFor,
  type OutputBudget,
  withSupportedTools,
} from "./model/models.ts";
export {
  type BuiltInProviderId,
  builtInProviderIds,
  builtInProviders,
  defaultBaseUrl,
  maxRetries,
  providerDefaults,
  type Variables,
} from "./model/providers.ts";
export { recordConversation, type RecordingOptions } from "./model/recording.ts";
export { createReplayClient, type ReplayOptions } from "./model/replay-client.ts";
export {
  createResponsesClient,
  type ResponsesClient,
  type ResponsesClientOptions,
} from "./model/responses/client.ts";
export {
  type OutgoingRequest,
  outgoingRequest,
  type RequestSettings,
} from "./model/responses/outgoing-request.ts";
export type { ModelSettings } from "./model/responses/request.ts";
export {
  longestTotalWaitMs,
  longestWaitMs,
  type Retry,
  RetryBudget,
  type RetrySettings,
} from "./model/retry.ts";
export { imageDataUrl, maxImageBytes } from "./tools/image/data-url.ts";
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
export { type Clock, systemClock } from "./unified-exec/collect-output.ts";
export {
  type CommandResult,
  type ExecResult,
  execResultText,
  type InterceptedResult,
} from "./unified-exec/exec-result.ts";
export { UnifiedExecManager } from "./unified-exec/manager.ts";
export { UnifiedExecError, type UnifiedExecErrorKind } from "./unified-exec/unified-exec-error.ts";
export type {
  CommandIntercept,
  ExecCommandRequest,
  UnifiedExecOptions,
  WriteStdinRequest,
} from "./unified-exec/unified-exec-options.ts";
export { configJsonSchema, configJsonSchemaText } from "./config/schema.ts";
export { type ShownValue, shownValues, shownValuesText } from "./config/show.ts";
export { readRollout, type RecordedThread, RolloutError } from "./thread/rollout-reader.ts";
export {
  findLastSession,
  findSessionFile,
  listSessionFiles,
  listSessions,
  readSessionFile,
  type RecordedSession,
  type SessionFile,
  type SessionFilter,
} from "./thread/session-files.ts";
export { readSessionSummary } from "./thread/session-summary.ts";
export { readTranscript, type RecordedTurn } from "./thread/transcript.ts";
export type { ThreadFacts } from "./thread/thread-facts.ts";
export { isThreadId } from "./thread/thread-id.ts";
export type { TomlTable } from "./config/toml-table.ts";
export type { CommandSetting } from "./unified-exec/command/start-command.ts";
export type { OutputText } from "./unified-exec/retained-text.ts";
