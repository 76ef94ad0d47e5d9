import type { ContentPart } from "@codex/protocol";
import type { OutputBudget } from "../model/models.ts";
import { budgetBytes, truncateMiddle } from "../tools/truncation.ts";
import type { ToolOutput } from "../tools/tool.ts";

/** Room over the budget for the words a tool puts round its output. */
const allowance = 1.2;

/** What every tool's output is held to in the history: the person's limit in place of the model's own. */
export function historyBudget(
  modelBudget: OutputBudget,
  tokenLimit: number | undefined,
): OutputBudget {
  const unit = modelBudget.unit;
  const limit =
    tokenLimit === undefined ? modelBudget.limit : unit === "tokens" ? tokenLimit : tokenLimit * 4;
  return { unit, limit: Math.ceil(limit * allowance) };
}

/**
 * An output as it goes into the history. Texts share the budget in their order; texts that find nothing left are
 * dropped and counted in a last one. Images are always kept. Half a surrogate pair becomes U+FFFD: a server that refuses
 * it would refuse every later request too.
 */
export function recordedOutput(
  output: ToolOutput["output"],
  budget: OutputBudget,
): ToolOutput["output"] {
  if (typeof output === "string") return truncateMiddle(wellFormed(output), budget);
  let left = budgetBytes(budget);
  let omitted = 0;
  const kept = output.flatMap((part): ContentPart[] => {
    if (part.type === "input_image") return [part];
    if (left <= 0) {
      omitted += 1;
      return [];
    }
    const limit = budget.unit === "bytes" ? left : Math.ceil(left / 4);
    left -= Buffer.byteLength(part.text);
    return [{ ...part, text: truncateMiddle(wellFormed(part.text), { unit: budget.unit, limit }) }];
  });
  return omitted === 0
    ? kept
    : [...kept, { type: "input_text", text: `[omitted ${omitted} text items ...]` }];
}

/** With the `u` flag a pair is one character, so that only halves match. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, "\ufffd");
}
