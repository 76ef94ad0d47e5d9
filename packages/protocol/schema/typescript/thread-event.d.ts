// The events of a thread, generated from the schemas.

export type AgentMessage = {
  /** `item_N`, in order of first appearance in the thread. */
  id: string;
  type: "agent_message";
  text: string;
};

export type CollabToolCall = {
  /** `item_N`, in order of first appearance in the thread. */
  id: string;
  type: "collab_tool_call";
  tool: string;
  sender_thread_id: string;
  receiver_thread_ids: Array<string>;
  prompt: string | null;
  agents_states: { [key: string]: unknown };
  status: "in_progress" | "completed" | "failed";
};

export type CommandExecution = {
  /** `item_N`, in order of first appearance in the thread. */
  id: string;
  type: "command_execution";
  /** For people: the shell line. */
  command: string;
  /** What it printed so far, first and last 512 KiB of it. Empty when started. */
  aggregated_output: string;
  /** Null while it runs and when the turn ended first; 128+n after signal n; -1 when it could not be started. */
  exit_code: number | null;
  /** `failed` for every exit code but 0. */
  status: "in_progress" | "completed" | "failed";
  /** Name of the environment, when it is not this machine. */
  environment?: string;
};

/** The link to the executor: lost, resumed, or given up. */
export type EnvironmentEvent = {
  type: "environment.lost" | "environment.resumed" | "environment.gave_up";
  environment: string;
  message: string;
};

/** A retry notice, or the final error just before `turn.failed`. */
export type ErrorEvent = {
  type: "error";
  message: string;
};

/** A warning that belongs to the thread; it ends nothing. */
export type ErrorItem = {
  /** `item_N`, in order of first appearance in the thread. */
  id: string;
  type: "error";
  message: string;
};

export type FileChange = {
  /** `item_N`, in order of first appearance in the thread. */
  id: string;
  type: "file_change";
  /** Sorted by path, absolute; a move is an `update` of the old path. */
  changes: Array<{
    path: string;
    kind: "add" | "delete" | "update";
  }>;
  status: "in_progress" | "completed" | "failed";
  /** Name of the environment, when it is not this machine. */
  environment?: string;
};

export type ItemEvent = {
  type: "item.started" | "item.updated" | "item.completed";
  item: ThreadItem;
};

export type McpToolCall = {
  /** `item_N`, in order of first appearance in the thread. */
  id: string;
  type: "mcp_tool_call";
  server: string;
  tool: string;
  arguments: unknown;
  result: {
    content: Array<unknown>;
    structured_content: unknown;
  } | null;
  error: {
    message: string;
  } | null;
  status: "in_progress" | "completed" | "failed";
};

export type Reasoning = {
  /** `item_N`, in order of first appearance in the thread. */
  id: string;
  type: "reasoning";
  /** Summary parts joined by a newline. */
  text: string;
};

export type ThreadEvent =
  | ThreadStarted
  | TurnStarted
  | TurnCompleted
  | TurnFailed
  | ItemEvent
  | ErrorEvent
  | EnvironmentEvent;

export type ThreadItem =
  | AgentMessage
  | Reasoning
  | CommandExecution
  | FileChange
  | TodoList
  | McpToolCall
  | WebSearch
  | CollabToolCall
  | ErrorItem;

export type ThreadStarted = {
  type: "thread.started";
  thread_id: string;
  /** Version of these events: 1. */
  schema_version: number;
  /** Name of the environment, when it is not this machine. */
  environment?: string;
};

export type TodoList = {
  /** `item_N`, in order of first appearance in the thread. */
  id: string;
  type: "todo_list";
  items: Array<{
    text: string;
    completed: boolean;
  }>;
};

export type TokenUsage = {
  input_tokens: number;
  cached_input_tokens: number;
  cache_write_input_tokens: number;
  output_tokens: number;
  reasoning_output_tokens: number;
};

export type TurnCompleted = {
  type: "turn.completed";
  /** Sum over the whole thread, resumed turns included. */
  usage: TokenUsage;
  /** Sum over this turn. */
  turn_usage: TokenUsage;
  /** How many tool calls of this turn did not do what they were asked to. */
  tool_failures: number;
  /** What the process ends with. */
  exit_code?: number;
};

export type TurnFailed = {
  type: "turn.failed";
  error: {
    message: string;
    /** Why the turn did not complete. */
    kind: "model" | "interrupted" | "limit" | "environment" | "internal";
  };
  /** Sum over the whole thread, resumed turns included. */
  usage: TokenUsage;
  /** Sum over this turn. */
  turn_usage: TokenUsage;
  /** What the process ends with. */
  exit_code?: number;
};

export type TurnStarted = {
  type: "turn.started";
};

export type WebSearch = {
  /** `item_N`, in order of first appearance in the thread. */
  id: string;
  type: "web_search";
  query: string;
  action: {
    type: string;
    [key: string]: unknown;
  };
};
