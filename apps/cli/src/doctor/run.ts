import { exitCode } from "../exit-code.ts";
import type { ProcessContext } from "../process-context.ts";
import type { Check, CheckResult } from "./check.ts";
import { sandboxCheck } from "./sandbox-check.ts";

/** In the order they are shown. */
const checks: readonly Check[] = [sandboxCheck];

/** Makes every check and prints a line for each. */
export async function runDoctor(context: ProcessContext): Promise<number> {
  const results = await Promise.all(
    checks.map(async (check) => ({ name: check.name, ...(await resultOf(check, context)) })),
  );
  for (const { name, isGood, text } of results)
    context.stdout.write(`${isGood ? "ok    " : "failed"}  ${name}: ${text}\n`);
  return results.every(({ isGood }) => isGood) ? exitCode.completed : exitCode.turnFailed;
}

async function resultOf(check: Check, context: ProcessContext): Promise<CheckResult> {
  try {
    return await check.run(context);
  } catch (error) {
    return { isGood: false, text: error instanceof Error ? error.message : String(error) };
  }
}
