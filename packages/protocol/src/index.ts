export {
  type AbsolutePath,
  ancestorsOf,
  baseName,
  isInside,
  joinPath,
  parentPath,
  parseAbsolutePath,
  relativePath,
  toAbsolutePath,
} from "./absolute-path.ts";
export { decodeBase64, encodeBase64 } from "./byte-chunk.ts";
export { type ExtensionName, extensionNames } from "./exec-server/current/extensions.ts";
export {
  type CurrentParams,
  type CurrentRequestName,
  type CurrentResult,
  execServerCurrent,
  methodExtensions,
} from "./exec-server/current/methods.ts";
export { SandboxContext, type SandboxEntry } from "./exec-server/current/sandbox.ts";
export { initializeAny } from "./exec-server/initialize.ts";
export {
  FsCopyParams,
  FsCopyResponse,
  FsCreateDirectoryParams,
  FsCreateDirectoryResponse,
  FsGetMetadataParams,
  FsGetMetadataResponse,
  FsReadDirectoryEntry,
  FsReadDirectoryParams,
  FsReadDirectoryResponse,
  FsReadFileParams,
  FsReadFileResponse,
  FsRemoveParams,
  FsRemoveResponse,
  FsWriteFileParams,
  FsWriteFileResponse,
} from "./exec-server/v0/file-system.ts";
export { InitializeParams, InitializeResponse } from "./exec-server/v0/initialize.ts";
export { execServerV0 } from "./exec-server/v0/methods.ts";
export {
  ExecExitedNotification,
  ExecOutputDeltaNotification,
  ExecOutputStream,
  ExecParams,
  ExecResponse,
  ExecSandboxConfig,
  ExecSandboxMode,
  ProcessOutputChunk,
  ReadParams,
  ReadResponse,
  TerminateParams,
  TerminateResponse,
  WriteParams,
  WriteResponse,
} from "./exec-server/v0/process.ts";
export { parseFileUri, parseWirePath, toFileUri } from "./file-uri.ts";
export {
  ErrorCode,
  ErrorObject,
  isErrorResponse,
  isNotification,
  isRequest,
  type JsonRpcError,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  parseMessage,
  RequestId,
} from "./jsonrpc.ts";
export {
  checkAgainst,
  type Checked,
  defineNotification,
  defineRequest,
  type NotificationDefinition,
  type ParamsOf,
  type RequestDefinition,
  type ResultOf,
} from "./method.ts";
export {
  type ContentPart,
  type CustomToolCallItem,
  type FunctionCallItem,
  isCustomToolCall,
  isFunctionCall,
  isMessage,
  isReasoning,
  isToolCallOutput,
  isWebSearchCall,
  type MessageItem,
  messageText,
  type OtherItem,
  type ReasoningItem,
  ResponseItem,
  textMessage,
  type ToolCallOutputItem,
  type WebSearchCallItem,
} from "./response-item.ts";
export { fullAccess, SandboxIntent, type SandboxMode } from "./sandbox-intent.ts";
export {
  type AgentMessage,
  type CollabToolCall,
  type CommandExecution,
  type EnvironmentEvent,
  type ErrorEvent,
  type ErrorItem,
  type FileChange,
  type ItemEvent,
  type McpToolCall,
  type Reasoning,
  type ThreadEvent,
  threadEventSchemaVersion,
  type ThreadItem,
  type ThreadStarted,
  type TodoList,
  type TurnCompleted,
  type TurnErrorKind,
  type TurnFailed,
  type TurnStarted,
  type WebSearch,
} from "./thread-event.ts";
export { parseThreadEvent, threadEventSchemas } from "./thread-event-schema.ts";
export { addTokens, blendedTokens, noTokens, type TokenUsage } from "./token-usage.ts";
export { type MachineFacts, protectedNames, type WriteRules, writeRules } from "./write-rules.ts";
