import type { ThreadItem } from "@codex/protocol";
import * as z from "zod";

const status = z.enum(["in_progress", "completed", "failed"]);
const environment = z.string().exactOptional();

const item = <Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) =>
  z.object({ id: z.string(), type: z.literal(type), ...shape });

/** The door for items in a rollout: what a thread announced as completed. */
export const RecordedItem: z.ZodType<ThreadItem> = z.discriminatedUnion("type", [
  item("agent_message", { text: z.string() }),
  item("reasoning", { text: z.string() }),
  item("command_execution", {
    command: z.string(),
    aggregated_output: z.string(),
    exit_code: z.number().nullable(),
    status,
    environment,
  }),
  item("file_change", {
    changes: z.array(z.object({ path: z.string(), kind: z.enum(["add", "delete", "update"]) })),
    status,
    environment,
  }),
  item("todo_list", { items: z.array(z.object({ text: z.string(), completed: z.boolean() })) }),
  item("mcp_tool_call", {
    server: z.string(),
    tool: z.string(),
    arguments: z.unknown(),
    result: z.object({ content: z.array(z.unknown()), structured_content: z.unknown() }).nullable(),
    error: z.object({ message: z.string() }).nullable(),
    status,
  }),
  item("web_search", { query: z.string(), action: z.looseObject({ type: z.string() }) }),
  item("error", { message: z.string() }),
]);
