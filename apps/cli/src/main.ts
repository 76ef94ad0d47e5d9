import { exitCode } from "./exit-code.ts";
import { type ProcessContext, thisProcess } from "./process-context.ts";
import { StartError } from "./start-error.ts";
import { productName, productVersion } from "./version.ts";

/** Runs the command line this process was started with and ends the process. */
export async function runMain(): Promise<void> {
  const context = thisProcess();
  const code = await runCommandLine(process.argv.slice(2), context);
  await Promise.all([context.stdout.flushed(), context.stderr.flushed()]);
  // A socket a server keeps open, or a child that lives on, must not hold the process.
  context.exit(code);
}

/** Runs one command line; settles with the exit code. */
export async function runCommandLine(
  args: readonly string[],
  context: ProcessContext,
): Promise<number> {
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
    context.stdout.write(`${productName} ${productVersion()}\n`);
    return exitCode.completed;
  }
  // Servers are started often, by programs: they do not pay for the command table.
  if (args[0] === "exec-server") return serve(args.slice(1));
  try {
    const { runCommand } = await import("./command-table.ts");
    return await runCommand(args, context);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    context.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
}

async function serve(args: readonly string[]): Promise<number> {
  const { main } = await import("./exec-server/main.ts");
  return main(args, process);
}
