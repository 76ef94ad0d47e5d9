import * as z from "zod";
import { execResultText, hasFailed } from "../unified-exec/exec-result.ts";
import type { UnifiedExecManager } from "../unified-exec/manager.ts";
import { UnifiedExecError } from "../unified-exec/unified-exec-error.ts";
import { defineTool } from "./define-tool.ts";
import { RespondToModelError, type Tool } from "./tool.ts";
import { maxOutputTokensParameter, yieldTimeParameter } from "./yield-parameters.ts";

/** `exec_command`: runs a shell command of the thread. `login` is offered only where login shells are allowed. */
export function createExecCommandTool(manager: UnifiedExecManager): Tool {
  return defineTool({
    name: "exec_command",
    description:
      "Runs a command in a shell and returns its output. A command that is still running when the wait is over keeps " +
      "running: the answer then names a session ID, and write_stdin reads more of its output or types into it.",
    // Loose: a `login` that is not offered must be seen to be refused.
    parameters: manager.allowLoginShell
      ? parameters.extend({ login: loginParameter })
      : parameters.loose(),
    isParallel: true,
    async run(args, context) {
      if (args.login === true && !manager.allowLoginShell)
        throw new RespondToModelError(loginRefused);
      if (args.sandbox_permissions === "require_escalated")
        throw new RespondToModelError(escalationRefused);
      const request = {
        cmd: args.cmd,
        workdir: args.workdir,
        shell: args.shell,
        login: manager.allowLoginShell && args.login !== false,
        tty: args.tty ?? false,
        yieldTimeMs: args.yield_time_ms,
        maxOutputTokens: args.max_output_tokens,
      };
      const result = await manager.execCommand(request, context).catch(answerRefusal);
      return { output: execResultText(result), isSuccess: !hasFailed(result) };
    },
  });
}

const parameters = z.object({
  cmd: z.string().describe("The command, as a script for the shell."),
  workdir: z
    .string()
    .optional()
    .describe(
      "Directory to run in, absolute or relative to the session's; default: the session's.",
    ),
  shell: z
    .string()
    .optional()
    .describe("Shell to use instead of the user's own: bash, zsh or sh, by name or path."),
  tty: z
    .boolean()
    .optional()
    .describe(
      "True runs it in a terminal: needed for interactive programs and to type into it with write_stdin. Default false: plain pipes, no input.",
    ),
  yield_time_ms: yieldTimeParameter(
    "How long to wait for the command to end before answering with its output so far, 250 to 30000. Default 10000.",
  ),
  max_output_tokens: maxOutputTokensParameter,
  sandbox_permissions: z
    .enum(["use_default", "require_escalated"])
    .optional()
    .describe(
      "use_default (the default) keeps the session's sandbox; require_escalated asks to leave it.",
    ),
  justification: z
    .string()
    .optional()
    .describe(
      "Why it has to leave the sandbox, as a question to the user; only with require_escalated.",
    ),
  prefix_rule: z
    .array(z.string())
    .optional()
    .describe(
      "Beginning of the command that could be allowed from now on; only with require_escalated.",
    ),
});

const loginParameter = z
  .boolean()
  .optional()
  .describe("Whether the shell reads the login profile first. Default true.");

const loginRefused = "login shell is disabled by config; omit `login` or set it to false.";

const escalationRefused =
  "approval policy is Never; reject command — you cannot ask for escalated permissions if the approval policy is Never";

/** Parts of the contract text come in the debug spelling of the original's error, quotes inside quotes. */
function answerRefusal(error: unknown): never {
  if (!(error instanceof UnifiedExecError)) throw error;
  const rejected = `Rejected(${JSON.stringify(error.message)})`;
  throw new RespondToModelError(
    `exec_command failed: CreateProcess { message: ${JSON.stringify(rejected)} }`,
    { cause: error },
  );
}
