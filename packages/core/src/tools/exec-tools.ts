import type { UnifiedExecManager } from "../unified-exec/manager.ts";
import { createExecCommandTool } from "./exec-command.ts";
import type { Tool } from "./tool.ts";
import { createWriteStdinTool } from "./write-stdin.ts";

/** The two tools over one thread's commands: `exec_command` and `write_stdin`, in this order. */
export function createExecTools(manager: UnifiedExecManager): Tool[] {
  return [createExecCommandTool(manager), createWriteStdinTool(manager)];
}
