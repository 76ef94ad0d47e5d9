import { Command } from "commander";
import { addConfigOptions, execOptions } from "../exec/options.ts";
import type { ProcessContext } from "../process-context.ts";

/** `codex sandbox`: one command of a person's, held to what a run's commands are held to. */
export function sandboxCommand(
  context: ProcessContext,
  finish: (exitCode: number) => void,
): Command {
  const command = new Command("sandbox")
    .usage("[options] -- <command...>")
    .description("Run a command on this machine in the sandbox of a run, terminal included")
    .argument("<command...>", "program and arguments")
    .passThroughOptions()
    .addHelpText("after", examples);
  return addConfigOptions(command).action(
    async (argv: readonly string[], _options: unknown, self: Command) => {
      const root = self.parent ?? self;
      const { runSandboxed } = await import("./run.ts");
      finish(await runSandboxed(argv, execOptions([root, self], undefined), context));
    },
  );
}

const examples = `
Examples:
  codex sandbox -- touch file                      read-only: it cannot
  codex sandbox -s workspace-write -- npm test
  codex sandbox -s workspace-write -- bash

The exit code is the command's; 2 when there is no sandbox to be had, 126 and 127 as a shell has them.`;
