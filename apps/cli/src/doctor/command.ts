import { Command } from "commander";
import type { ProcessContext } from "../process-context.ts";

/** `codex doctor`: what this machine has and lacks for a run. */
export function doctorCommand(
  context: ProcessContext,
  finish: (exitCode: number) => void,
): Command {
  return new Command("doctor")
    .description("Check what a run needs of this machine; exit 1 when something is missing")
    .action(async () => {
      const { runDoctor } = await import("./run.ts");
      finish(await runDoctor(context));
    });
}
