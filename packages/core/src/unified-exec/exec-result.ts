import type { OutputBudget } from "../model/models.ts";
import {
  approximateTokens,
  budgetBytes,
  bytesPerToken,
  lineCountLine,
  truncateMiddle,
} from "../tools/truncation.ts";
import { omittedLine, type OutputText } from "./retained-text.ts";

/** What one call found out about a command. Either it has ended (`exit`) or it can be asked again (`sessionId`). */
export interface CommandResult {
  readonly kind: "command";
  /** Six hexadecimal digits. */
  readonly chunkId: string;
  /** How long the call waited, not how long the command ran. */
  readonly wallTimeMs: number;
  readonly state:
    | { readonly kind: "running"; readonly sessionId: number }
    | { readonly kind: "exited"; readonly code: number; readonly isSandboxDenial: boolean };
  /** What was printed since the last call. */
  readonly output: OutputText;
  /** How much of it the model is shown. */
  readonly budget: OutputBudget;
}

/** The command was understood as something else and never started, such as a patch. */
export interface InterceptedResult {
  readonly kind: "intercepted";
  readonly text: string;
}

export type ExecResult = CommandResult | InterceptedResult;

const defaultOutputTokens = 10_000;

/**
 * How much output a call may show: what it asked for or 10,000 tokens, at most the person's limit or the model's own
 * budget. A model whose budget is in bytes keeps bytes unless the call asked for tokens.
 */
export function outputBudgetFor(
  requestedTokens: number | undefined,
  modelBudget: OutputBudget,
  tokenLimit: number | undefined,
): OutputBudget {
  if (requestedTokens === undefined && modelBudget.unit === "bytes") {
    const limit = tokenLimit === undefined ? modelBudget.limit : tokenLimit * bytesPerToken;
    return { unit: "bytes", limit };
  }
  const ceiling = tokenLimit ?? Math.floor(budgetBytes(modelBudget) / bytesPerToken);
  return { unit: "tokens", limit: Math.min(requestedTokens ?? defaultOutputTokens, ceiling) };
}

/** The answer to `exec_command` and `write_stdin`, one line a fact, then the output as it is. */
export function execResultText(result: ExecResult): string {
  if (result.kind === "intercepted") return `${wallTimeLine(0)}\nOutput:\n${result.text}`;
  const { chunkId, wallTimeMs, state, output, budget } = result;
  return [
    `Chunk ID: ${chunkId}`,
    wallTimeLine(wallTimeMs),
    state.kind === "exited"
      ? `Process exited with code ${state.code}`
      : `Process running with session ID ${state.sessionId}`,
    `Original token count: ${approximateTokens(output.originalBytes)}`,
    "Output:",
    outputWithinBudget(output, budget),
  ].join("\n");
}

/** True for a command that ended with another code than 0; one that runs on has not failed. */
export function hasFailed(result: ExecResult): boolean {
  return result.kind === "command" && result.state.kind === "exited" && result.state.code !== 0;
}

/** The output, or a warning, what is missing, and the output with its middle cut. */
export function outputWithinBudget(output: OutputText, budget: OutputBudget): string {
  const { text, originalBytes, omittedBytes } = output;
  const truncated = truncateMiddle(text, budget);
  if (truncated === text) return text;
  const tokens = approximateTokens(originalBytes);
  const missing = omittedBytes > 0 ? omittedLine(omittedBytes) : lineCountLine(text);
  return `Warning: truncated output (original token count: ${tokens})\n${missing}\n\n${truncated}`;
}

function wallTimeLine(ms: number): string {
  return `Wall time: ${(ms / 1000).toFixed(4)} seconds`;
}
