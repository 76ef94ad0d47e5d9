import { Command, CommanderError } from "commander";
import { execCommand } from "./exec/command.ts";
import { addConfigOptions, addRunOptions } from "./exec/options.ts";
import { execServerCommand } from "./exec-server/command.ts";
import { configCommand } from "./config/command.ts";
import { debugCommand } from "./debug/command.ts";
import { doctorCommand } from "./doctor/command.ts";
import { exitCode } from "./exit-code.ts";
import type { ProcessContext } from "./process-context.ts";
import { sandboxCommand } from "./sandbox/command.ts";
import { sessionsCommand } from "./sessions/command.ts";
import { productName, productVersion } from "./version.ts";

/** Every command there is. Settles with the exit code; a command line that is wrong is 2. */
export async function runCommand(
  args: readonly string[],
  context: ProcessContext,
): Promise<number> {
  let code: number = exitCode.completed;
  const finish = (given: number): void => {
    code = given;
  };
  const program = rootCommand(context);
  const commands = [
    execCommand,
    sessionsCommand,
    configCommand,
    execServerCommand,
    sandboxCommand,
    doctorCommand,
    debugCommand,
  ];
  for (const command of commands) program.addCommand(ready(command(context, finish), context));
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCode.completed : exitCode.notStarted;
  }
}

/** Options of a run given before its command count too; they are shown with the commands. */
function rootCommand(context: ProcessContext): Command {
  const program = new Command("codex")
    .description("A coding agent that runs here while commands and files may live elsewhere")
    .usage("[options] <command>")
    .addHelpText("after", examples)
    .version(`${productName} ${productVersion()}`)
    .enablePositionalOptions();
  const shown = program.options.length;
  addRunOptions(addConfigOptions(program));
  for (const option of program.options.slice(shown)) option.hideHelp();
  return ready(program, context);
}

function ready(command: Command, context: ProcessContext): Command {
  command
    .exitOverride()
    .allowExcessArguments(false)
    .showHelpAfterError("(--help shows what there is)")
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  for (const child of command.commands) ready(child, context);
  return command;
}

const examples = `
Examples:
  codex exec "what does this project do?"
  codex exec resume --last "and its tests?"
  codex config show
  codex doctor

Every command has a --help of its own.`;
