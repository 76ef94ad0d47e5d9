import { Command } from "commander";
import type { ProcessContext } from "../process-context.ts";

/** `codex exec-server`: its options are the server's own, handed on as they are. */
export function execServerCommand(
  _context: ProcessContext,
  finish: (exitCode: number) => void,
): Command {
  return new Command("exec-server")
    .usage("[options]")
    .description("Serve this machine's processes and files (its own --help shows how)")
    .argument("[options...]")
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (args: readonly string[]) => {
      const { main } = await import("./main.ts");
      finish(await main(args, process));
    });
}
