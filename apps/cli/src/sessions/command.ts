import { Command } from "commander";
import { execOptions, positiveInteger } from "../exec/options.ts";
import type { ProcessContext } from "../process-context.ts";

export interface ListOptions {
  readonly json?: boolean;
  readonly all?: boolean;
  readonly limit: number;
}

/** `codex sessions`: the threads kept on this machine. */
export function sessionsCommand(
  context: ProcessContext,
  finish: (exitCode: number) => void,
): Command {
  const command = new Command("sessions")
    .description("Look at the sessions kept on this machine")
    .addHelpText("after", examples);
  const list = command
    .command("list")
    .description("List the sessions of this directory, last used first")
    .option("--all", "those of every directory")
    .option("--json", "one JSON object a line")
    .option("-n, --limit <n>", "at most so many", positiveInteger, 50)
    .option("-C, --cd <dir>", "of this folder instead of the current one");
  list.action(async (options: ListOptions, self: Command) => {
    const { listSessionsOf } = await import("./list.ts");
    finish(await listSessionsOf(execOptions(levels(self), undefined), options, context));
  });
  const show = command
    .command("show")
    .description("Show what was said and done in a session")
    .argument("<id>", "id of the session")
    .option("--json", "as one JSON object");
  show.action(async (id: string, options: { readonly json?: boolean }, self: Command) => {
    const { showSession } = await import("./show.ts");
    const { json = false } = options;
    finish(await showSession(execOptions(levels(self), undefined), { id, json }, context));
  });
  return command;
}

/** Options before `sessions` count too. */
function levels(command: Command): Command[] {
  const root = command.parent?.parent;
  return root ? [root, command] : [command];
}

const examples = `
Examples:
  codex sessions list --all
  codex sessions show "$(codex sessions list --json -n 1 | jq -r .id)"`;
