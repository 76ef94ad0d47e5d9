import { configJsonSchemaText, shownValues, shownValuesText } from "@codex/core";
import { startFailure } from "../exec/start-failure.ts";
import type { ExecOptions } from "../exec/options.ts";
import { exitCode } from "../exit-code.ts";
import type { ProcessContext } from "../process-context.ts";
import { loadSettings } from "./load.ts";

export function printSchema({ stdout }: ProcessContext): number {
  stdout.write(configJsonSchemaText());
  return exitCode.completed;
}

/** Warnings go to stderr, the values to stdout. */
export async function printSettings(
  options: ExecOptions,
  context: ProcessContext,
): Promise<number> {
  try {
    const loaded = await loadSettings(options, context);
    for (const warning of loaded.warnings) context.stderr.write(`warning: ${warning}\n`);
    context.stdout.write(shownValuesText(shownValues(loaded)));
    return exitCode.completed;
  } catch (error) {
    const failure = startFailure(error);
    context.stderr.write(`${failure.message}\n`);
    return failure.exitCode;
  }
}
