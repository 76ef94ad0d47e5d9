import type {
  CommandExecution,
  FileChange,
  McpToolCall,
  ThreadItem,
  TodoList,
} from "@codex/protocol";
import { oneLine } from "./one-line.ts";
import { printable } from "./printable.ts";
import { shownCommand } from "./shown-command.ts";
import type { Style } from "./style.ts";

/** A person sees the end of a command's output; all of it is in the events. */
const maxOutputLines = 20;

/** What is going on while this item is open; undefined for items that are never waited for. */
export function activityOf(item: ThreadItem): string | undefined {
  if (item.type === "command_execution") return `running ${oneLine(shownCommand(item.command))}`;
  if (item.type === "mcp_tool_call") return `calling ${item.server}.${item.tool}`;
  if (item.type === "web_search") return "searching the web";
  return undefined;
}

/** The line that opens an item, where its end is reported later; undefined for the others. */
export function openingLine(item: ThreadItem, style: Style): string | undefined {
  if (item.type === "command_execution") {
    const place = item.environment === undefined ? "" : style.dim(` (on ${item.environment})`);
    return `${style.cyan("$")} ${style.bold(printable(shownCommand(item.command)))}${place}`;
  }
  if (item.type === "mcp_tool_call") {
    return `${style.cyan("mcp")} ${item.server}.${item.tool}(${oneLine(JSON.stringify(item.arguments ?? {}))})`;
  }
  return undefined;
}

/** What is said when an item is complete. `duration` is empty when its beginning was not seen. */
export function closingText(item: ThreadItem, duration: string, style: Style): string | undefined {
  switch (item.type) {
    case "agent_message":
      return `${style.bold("codex")}\n${printable(item.text)}`;
    case "reasoning":
      return style.dim(`thinking\n${printable(item.text)}`);
    case "command_execution":
      return commandEnd(item, duration, style);
    case "file_change":
      return fileChange(item, style);
    case "todo_list":
      return todoList(item, style);
    case "mcp_tool_call":
      return mcpEnd(item, duration, style);
    case "web_search":
      return `${style.cyan("web search")} ${printable(item.query)}`;
    case "error":
      return `${style.yellow("warning:")} ${printable(item.message)}`;
    case "collab_tool_call":
      return undefined;
  }
}

function commandEnd(item: CommandExecution, duration: string, style: Style): string {
  return [verdict(item, duration, style), ...shownOutput(item.aggregated_output, style)].join("\n");
}

function verdict(item: CommandExecution, duration: string, style: Style): string {
  const time = duration === "" ? "" : ` in ${duration}`;
  if (item.exit_code === 0) return style.green(`  succeeded${time}`);
  if (item.exit_code === null) return style.yellow("  was still running and was ended");
  if (item.exit_code === -1) return style.red("  could not be started");
  return style.red(`  exited ${item.exit_code}${time}`);
}

function shownOutput(output: string, style: Style): string[] {
  const text = printable(output).replace(/\n+$/, "");
  if (text === "") return [];
  const lines = text.split("\n");
  const hidden = lines.length - maxOutputLines;
  const shown = lines.slice(-maxOutputLines).map((line) => style.dim(`  ${line}`));
  return hidden > 0 ? [style.dim(`  … ${hidden} lines above`), ...shown] : shown;
}

const changeLetters = { add: "A", update: "M", delete: "D" } as const;

function fileChange(item: FileChange, style: Style): string {
  const title = item.status === "failed" ? style.red("patch failed") : style.cyan("patch");
  const lines = item.changes.map(({ kind, path }) => `  ${changeLetters[kind]} ${printable(path)}`);
  return [title, ...lines].join("\n");
}

function todoList(item: TodoList, style: Style): string {
  const steps = item.items.map(({ text, completed }) =>
    completed ? `  ${style.green("✓")} ${printable(text)}` : `  • ${printable(text)}`,
  );
  return [style.cyan("plan"), ...steps].join("\n");
}

function mcpEnd(item: McpToolCall, duration: string, style: Style): string {
  const time = duration === "" ? "" : ` in ${duration}`;
  if (item.status !== "failed") return style.green(`  succeeded${time}`);
  const reason = item.error === null ? "" : `: ${printable(item.error.message)}`;
  return style.red(`  failed${time}${reason}`);
}
