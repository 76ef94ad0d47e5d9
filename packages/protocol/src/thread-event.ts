import type { TokenUsage } from "./token-usage.ts";

/** Version of the events below; said once, on `thread.started`. */
export const threadEventSchemaVersion = 1;

export interface AgentMessage {
  readonly id: string;
  readonly type: "agent_message";
  readonly text: string;
}

export interface Reasoning {
  readonly id: string;
  readonly type: "reasoning";
  /** Summary parts joined by a newline; a reasoning without a summary makes no item. */
  readonly text: string;
}

export interface CommandExecution {
  readonly id: string;
  readonly type: "command_execution";
  /** For people: the shell line, `/bin/bash -lc CMD`, CMD quoted. */
  readonly command: string;
  /** Everything the process printed so far, first and last 512 KiB of it. Empty when started. */
  readonly aggregated_output: string;
  /** Null while running and when the turn ended first; 128+n after signal n; -1 when it could not be started. */
  readonly exit_code: number | null;
  /** `failed` for every exit code but 0. */
  readonly status: "in_progress" | "completed" | "failed";
  /** Name of the environment, when it is not this machine. */
  readonly environment?: string;
}

export interface FileChange {
  readonly id: string;
  readonly type: "file_change";
  /** Sorted by path; a move is an `update` of the old path. Paths are absolute. */
  readonly changes: readonly {
    readonly path: string;
    readonly kind: "add" | "delete" | "update";
  }[];
  readonly status: "in_progress" | "completed" | "failed";
  readonly environment?: string;
}

export interface TodoList {
  readonly id: string;
  readonly type: "todo_list";
  readonly items: readonly { readonly text: string; readonly completed: boolean }[];
}

export interface McpToolCall {
  readonly id: string;
  readonly type: "mcp_tool_call";
  readonly server: string;
  readonly tool: string;
  readonly arguments: unknown;
  readonly result: {
    readonly content: readonly unknown[];
    readonly structured_content: unknown;
  } | null;
  readonly error: { readonly message: string } | null;
  readonly status: "in_progress" | "completed" | "failed";
}

export interface WebSearch {
  readonly id: string;
  readonly type: "web_search";
  readonly query: string;
  readonly action: { readonly type: string; readonly [key: string]: unknown };
}

export interface CollabToolCall {
  readonly id: string;
  readonly type: "collab_tool_call";
  readonly tool: string;
  readonly sender_thread_id: string;
  readonly receiver_thread_ids: readonly string[];
  readonly prompt: string | null;
  readonly agents_states: Readonly<Record<string, unknown>>;
  readonly status: "in_progress" | "completed" | "failed";
}

/** A warning that belongs to the thread; it ends nothing. */
export interface ErrorItem {
  readonly id: string;
  readonly type: "error";
  readonly message: string;
}

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

/** Why a turn did not complete. */
export type TurnErrorKind =
  | "model" // the model's side refused or failed
  | "interrupted" // a signal or an abort
  | "limit" // a budget given on the command line was used up
  | "environment" // the executor was lost or could not be reached
  | "internal";

export interface ThreadStarted {
  readonly type: "thread.started";
  readonly thread_id: string;
  readonly schema_version: number;
  /** Name of the environment, when it is not this machine. */
  readonly environment?: string;
}

export interface TurnStarted {
  readonly type: "turn.started";
}

export interface TurnCompleted {
  readonly type: "turn.completed";
  /** Sum over the whole thread, resumed turns included. */
  readonly usage: TokenUsage;
  /** Sum over this turn. */
  readonly turn_usage: TokenUsage;
  /** How many tool calls of this turn did not do what they were asked to; a command that ended with a code but 0 is one. */
  readonly tool_failures: number;
  readonly exit_code?: number;
}

export interface TurnFailed {
  readonly type: "turn.failed";
  readonly error: { readonly message: string; readonly kind: TurnErrorKind };
  readonly usage: TokenUsage;
  readonly turn_usage: TokenUsage;
  readonly exit_code?: number;
}

export interface ItemEvent {
  readonly type: "item.started" | "item.updated" | "item.completed";
  readonly item: ThreadItem;
}

/** A retry notice, or the final error just before `turn.failed`. */
export interface ErrorEvent {
  readonly type: "error";
  readonly message: string;
}

/** The link to the executor: lost, resumed, or given up. */
export interface EnvironmentEvent {
  readonly type: "environment.lost" | "environment.resumed" | "environment.gave_up";
  readonly environment: string;
  readonly message: string;
}

/** Everything a thread says, in order; what `codex exec --json` prints, one object a line. */
export type ThreadEvent =
  | ThreadStarted
  | TurnStarted
  | TurnCompleted
  | TurnFailed
  | ItemEvent
  | ErrorEvent
  | EnvironmentEvent;
