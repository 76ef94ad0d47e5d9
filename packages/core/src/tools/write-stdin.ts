import * as z from "zod";
import { execResultText, hasFailed } from "../unified-exec/exec-result.ts";
import type { UnifiedExecManager } from "../unified-exec/manager.ts";
import { UnifiedExecError } from "../unified-exec/unified-exec-error.ts";
import { defineTool } from "./define-tool.ts";
import { RespondToModelError, type Tool } from "./tool.ts";
import { maxOutputTokensParameter, yieldTimeParameter } from "./yield-parameters.ts";

/** `write_stdin`: types into a running command, or only waits for it. */
export function createWriteStdinTool(manager: UnifiedExecManager): Tool {
  return defineTool({
    name: "write_stdin",
    description:
      "Types into a command that is still running, or with empty chars waits for it, and returns what it printed " +
      "since the last call. Only a command started with tty true can be typed into; Ctrl-C alone stops any command.",
    parameters,
    async run(args, context) {
      const request = {
        sessionId: args.session_id,
        chars: args.chars ?? "",
        yieldTimeMs: args.yield_time_ms,
        maxOutputTokens: args.max_output_tokens,
      };
      const result = await manager.writeStdin(request, context.signal).catch(answerRefusal);
      return { output: execResultText(result), isSuccess: !hasFailed(result) };
    },
  });
}

const parameters = z.object({
  session_id: z.number().describe("The session ID that exec_command answered."),
  chars: z
    .string()
    .optional()
    .describe(
      "What to type, sent as it is: \\n is the Enter key, \\u0003 Ctrl-C, \\u0004 end of input. Empty (the default) only waits.",
    ),
  yield_time_ms: yieldTimeParameter(
    "How long to wait for the command to end before answering. After typing: 250 (the default) to 30000. With empty chars: at least 5000, so ask for more when it runs long.",
  ),
  max_output_tokens: maxOutputTokensParameter,
});

function answerRefusal(error: unknown): never {
  if (!(error instanceof UnifiedExecError)) throw error;
  throw new RespondToModelError(`write_stdin failed: ${error.message}`, { cause: error });
}
