import { Command } from "commander";
import type { ProcessContext } from "../process-context.ts";
import { addConfigOptions, addRunOptions, execOptions } from "./options.ts";

/** `codex exec`: one task, from a prompt to an exit code. */
export function execCommand(context: ProcessContext, finish: (exitCode: number) => void): Command {
  const command = new Command("exec")
    .alias("e")
    .description("Do one task and report")
    .argument("[prompt]", "the task; - or nothing reads it from stdin")
    .addHelpText("after", examples);
  addRunOptions(addConfigOptions(command));
  return command.action(async (prompt: string | undefined, _options: unknown, self: Command) => {
    const levels = self.parent === null ? [self] : [self.parent, self];
    const { runExec } = await import("./run.ts");
    finish(await runExec(execOptions(levels, prompt), context));
  });
}

const examples = `
Examples:
  codex exec -s danger-full-access "run the tests and fix what fails"
  git diff | codex exec -s danger-full-access "review this change"
  codex exec --json -o answer.txt - < task.md

Exit codes: 0 completed, 1 turn failed, 2 not started (usage, configuration, key, git check, no prompt),
3 limit reached, 4 executor lost, 5 a tool failed (--fail-on-tool-error), 128+n ended by signal n.`;
