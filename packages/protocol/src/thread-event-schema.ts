import * as z from "zod";
import { type ThreadEvent, threadEventSchemaVersion } from "./thread-event.ts";

const id = z.string().describe("`item_N`, in order of first appearance in the thread.");
const environment = z
  .string()
  .exactOptional()
  .describe("Name of the environment, when it is not this machine.");
const status = z.enum(["in_progress", "completed", "failed"]);
const exitCode = z.int().exactOptional().describe("What the process ends with.");

const AgentMessage = z.object({ id, type: z.literal("agent_message"), text: z.string() });

const Reasoning = z.object({
  id,
  type: z.literal("reasoning"),
  text: z.string().describe("Summary parts joined by a newline."),
});

const CommandExecution = z.object({
  id,
  type: z.literal("command_execution"),
  command: z.string().describe("For people: the shell line."),
  aggregated_output: z
    .string()
    .describe("What it printed so far, first and last 512 KiB of it. Empty when started."),
  exit_code: z
    .int()
    .nullable()
    .describe(
      "Null while it runs and when the turn ended first; 128+n after signal n; -1 when it could not be started.",
    ),
  status: status.describe("`failed` for every exit code but 0."),
  environment,
});

const FileChange = z.object({
  id,
  type: z.literal("file_change"),
  changes: z
    .array(z.object({ path: z.string(), kind: z.enum(["add", "delete", "update"]) }))
    .describe("Sorted by path, absolute; a move is an `update` of the old path."),
  status,
  environment,
});

const TodoList = z.object({
  id,
  type: z.literal("todo_list"),
  items: z.array(z.object({ text: z.string(), completed: z.boolean() })),
});

const McpToolCall = z.object({
  id,
  type: z.literal("mcp_tool_call"),
  server: z.string(),
  tool: z.string(),
  arguments: z.unknown(),
  result: z.object({ content: z.array(z.unknown()), structured_content: z.unknown() }).nullable(),
  error: z.object({ message: z.string() }).nullable(),
  status,
});

const WebSearch = z.object({
  id,
  type: z.literal("web_search"),
  query: z.string(),
  action: z.looseObject({ type: z.string() }),
});

const CollabToolCall = z.object({
  id,
  type: z.literal("collab_tool_call"),
  tool: z.string(),
  sender_thread_id: z.string(),
  receiver_thread_ids: z.array(z.string()),
  prompt: z.string().nullable(),
  agents_states: z.record(z.string(), z.unknown()),
  status,
});

const ErrorItem = z
  .object({ id, type: z.literal("error"), message: z.string() })
  .describe("A warning that belongs to the thread; it ends nothing.");

const ThreadItem = z.discriminatedUnion("type", [
  AgentMessage,
  Reasoning,
  CommandExecution,
  FileChange,
  TodoList,
  McpToolCall,
  WebSearch,
  CollabToolCall,
  ErrorItem,
]);

const TokenUsage = z.object({
  input_tokens: z.int(),
  cached_input_tokens: z.int(),
  cache_write_input_tokens: z.int(),
  output_tokens: z.int(),
  reasoning_output_tokens: z.int(),
});

const ThreadStarted = z.object({
  type: z.literal("thread.started"),
  thread_id: z.string(),
  schema_version: z.int().describe(`Version of these events: ${threadEventSchemaVersion}.`),
  environment,
});

const TurnStarted = z.object({ type: z.literal("turn.started") });

const usage = TokenUsage.describe("Sum over the whole thread, resumed turns included.");
const turnUsage = TokenUsage.describe("Sum over this turn.");

const TurnCompleted = z.object({
  type: z.literal("turn.completed"),
  usage,
  turn_usage: turnUsage,
  tool_failures: z
    .int()
    .describe("How many tool calls of this turn did not do what they were asked to."),
  exit_code: exitCode,
});

const TurnFailed = z.object({
  type: z.literal("turn.failed"),
  error: z.object({
    message: z.string(),
    kind: z
      .enum(["model", "interrupted", "limit", "environment", "internal"])
      .describe("Why the turn did not complete."),
  }),
  usage,
  turn_usage: turnUsage,
  exit_code: exitCode,
});

const ItemEvent = z.object({
  type: z.enum(["item.started", "item.updated", "item.completed"]),
  item: ThreadItem,
});

const ErrorEvent = z
  .object({ type: z.literal("error"), message: z.string() })
  .describe("A retry notice, or the final error just before `turn.failed`.");

const EnvironmentEvent = z
  .object({
    type: z.enum(["environment.lost", "environment.resumed", "environment.gave_up"]),
    environment: z.string(),
    message: z.string(),
  })
  .describe("The link to the executor: lost, resumed, or given up.");

/** Every schema of a thread's events, by the name of its type; `ThreadEvent` is the whole. */
export const threadEventSchemas = {
  AgentMessage,
  CollabToolCall,
  CommandExecution,
  EnvironmentEvent,
  ErrorEvent,
  ErrorItem,
  FileChange,
  ItemEvent,
  McpToolCall,
  Reasoning,
  ThreadEvent: z.discriminatedUnion("type", [
    ThreadStarted,
    TurnStarted,
    TurnCompleted,
    TurnFailed,
    ItemEvent,
    ErrorEvent,
    EnvironmentEvent,
  ]),
  ThreadItem,
  ThreadStarted,
  TodoList,
  TokenUsage,
  TurnCompleted,
  TurnFailed,
  TurnStarted,
  WebSearch,
};

/**
 * A line of `codex exec --json` as an event; undefined for one that is none, such as an event of a later version.
 * Fields that are not known are dropped.
 */
export function parseThreadEvent(line: string): ThreadEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const parsed = threadEventSchemas.ThreadEvent.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
