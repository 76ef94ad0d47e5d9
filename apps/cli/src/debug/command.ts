import { Command } from "commander";
import { addConfigOptions, addRunOptions, execOptions } from "../exec/options.ts";
import type { ProcessContext } from "../process-context.ts";

/** `codex debug`: what a run would do, without doing it. */
export function debugCommand(context: ProcessContext, finish: (exitCode: number) => void): Command {
  const command = new Command("debug")
    .description("Look into a run without a run")
    .addHelpText("after", examples);
  const prompt = command
    .command("prompt")
    .usage("[options] [prompt]")
    .description("Print the first request of a run as JSON and send nothing; no key is needed")
    .argument("[prompt]", "the task; - or nothing reads it from stdin")
    .addHelpText("after", examples);
  addRunOptions(addConfigOptions(prompt)).action(
    async (text: string | undefined, _options: unknown, self: Command) => {
      const { printFirstRequest } = await import("./prompt.ts");
      const root = self.parent?.parent ?? self;
      finish(await printFirstRequest(execOptions([root, self], text), context));
    },
  );
  return command;
}

const examples = `
Examples:
  codex debug prompt "go" | jq -r '.body.tools[].name'
  codex debug prompt -m gpt-5.5 "go" | jq .body.input`;
