import { Command } from "commander";
import { addConfigOptions, execOptions } from "../exec/options.ts";
import type { ProcessContext } from "../process-context.ts";

/** `codex doctor`: what this machine has and lacks for a run. */
export function doctorCommand(
  context: ProcessContext,
  finish: (exitCode: number) => void,
): Command {
  const command = new Command("doctor")
    .description("Check what a run needs: every line is ok, or says what to do; exit 1 then")
    .addHelpText("after", examples);
  return addConfigOptions(command).action(async (_options: unknown, self: Command) => {
    const { runDoctor } = await import("./run.ts");
    finish(await runDoctor(execOptions([self.parent ?? self, self], undefined), context));
  });
}

const examples = `
Examples:
  codex doctor
  codex doctor -p work          with the settings of a profile`;
