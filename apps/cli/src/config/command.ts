import { Command } from "commander";
import { addConfigOptions, execOptions } from "../exec/options.ts";
import type { ProcessContext } from "../process-context.ts";

/** `codex config`: what the settings may be, and what they are. */
export function configCommand(
  context: ProcessContext,
  finish: (exitCode: number) => void,
): Command {
  const command = new Command("config")
    .description("Look at the configuration")
    .addHelpText("after", examples);
  command
    .command("schema")
    .description("Print the JSON Schema of config.toml")
    .action(async () => {
      const { printSchema } = await import("./print.ts");
      finish(printSchema(context));
    });
  const show = command
    .command("show")
    .description("Print the values in effect and where each comes from");
  addConfigOptions(show).action(async (_options: unknown, self: Command) => {
    const root = self.parent?.parent ?? self;
    const { printSettings } = await import("./print.ts");
    finish(await printSettings(execOptions([root, self], undefined), context));
  });
  return command;
}

const examples = `
Examples:
  codex config show
  codex config show -p work -c model=o3        with a profile and an override
  codex config schema > config.schema.json`;
