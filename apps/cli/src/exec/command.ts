import { Command } from "commander";
import type { ProcessContext } from "../process-context.ts";
import { StartError } from "../start-error.ts";
import type { ThreadSelection } from "./find-thread.ts";
import { addConfigOptions, addRunOptions, type ExecOptions, execOptions } from "./options.ts";

type Finish = (exitCode: number) => void;

/** `codex exec`: one task, from a prompt to an exit code. */
export function execCommand(context: ProcessContext, finish: Finish): Command {
  const command = new Command("exec")
    .alias("e")
    .usage("[options] [prompt]")
    .description("Do one task and report")
    .argument("[prompt]", "the task; - or nothing reads it from stdin")
    .enablePositionalOptions()
    .addHelpText("after", examples)
    .action(async (prompt: string | undefined, _options: unknown, self: Command) => {
      finish(await run(execOptions(lineage(self), prompt), context));
    });
  return addRunOptions(addConfigOptions(command)).addCommand(resumeCommand(context, finish));
}

/** `codex exec resume`: one more turn of a recorded thread. */
function resumeCommand(context: ProcessContext, finish: Finish): Command {
  const command = new Command("resume")
    .description("Go on with an earlier session")
    .argument("[id]", "id of the session; left out with --last")
    .argument("[prompt]", "the task; - or nothing reads it from stdin")
    .option("--last", "the session written to last in this directory")
    .option("--all", "with --last: in any directory")
    .addHelpText("after", resumeExamples)
    .action(async (first: string | undefined, second: string | undefined, ...rest) => {
      const [options, self] = rest as [ResumeOptions, Command];
      const { prompt, resume } = resumed(first, second, options);
      finish(await run({ ...execOptions(lineage(self), prompt), resume }, context));
    });
  return addRunOptions(addConfigOptions(command));
}

interface ResumeOptions {
  readonly last?: boolean;
  readonly all?: boolean;
}

function resumed(
  first: string | undefined,
  second: string | undefined,
  { last, all }: ResumeOptions,
): { readonly prompt: string | undefined; readonly resume: ThreadSelection } {
  if (last !== true) {
    if (first === undefined) throw new StartError("Which session? Give its id, or --last.");
    return { prompt: second, resume: { id: first } };
  }
  if (second !== undefined) throw new StartError("With --last there is no id, only a prompt.");
  return { prompt: first, resume: { last: all === true ? "anywhere" : "here" } };
}

async function run(options: ExecOptions, context: ProcessContext): Promise<number> {
  const { runExec } = await import("./run.ts");
  return runExec(options, context);
}

/** A command with those above it, outermost first. */
function lineage(command: Command): Command[] {
  return command.parent === null ? [command] : [...lineage(command.parent), command];
}

const examples = `
Examples:
  codex exec -s workspace-write "run the tests and fix what fails"
  git diff | codex exec "review this change"
  codex exec --json -o answer.txt - < task.md
  codex exec resume --last "and now the other one"

Exit codes: 0 completed, 1 turn failed, 2 not started (usage, configuration, key, git check, no prompt),
3 limit reached, 4 executor lost, 5 a tool failed (--fail-on-tool-error), 128+n ended by signal n.`;

const resumeExamples = `
Examples:
  codex exec resume --last "and now the other one"
  git diff | codex exec resume --last "is this what you meant?"`;
