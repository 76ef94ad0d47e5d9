import { runCommand } from "./command-table.ts";
import { type ProcessContext, thisProcess } from "./process-context.ts";
import { StartError } from "./start-error.ts";

/** Runs one command line in this process and ends it. */
export async function runApp(args: readonly string[]): Promise<void> {
  const context = thisProcess();
  const code = await runCommandLine(args, context);
  await Promise.all([context.stdout.flushed(), context.stderr.flushed()]);
  // A socket a server keeps open, or a child that lives on, must not hold the process.
  context.exit(code);
}

/** Runs one command line; settles with the exit code. */
export async function runCommandLine(
  args: readonly string[],
  context: ProcessContext,
): Promise<number> {
  try {
    return await runCommand(args, context);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    context.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
}
