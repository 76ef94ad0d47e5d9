import type { CommandExecution } from "@codex/protocol";
import type { ItemSink, OpenItem } from "../../tools/tool.ts";

/** What people are told about one command: that it was started, and once how it ended. */
export class CommandItem {
  readonly #command: Omit<CommandExecution, "id">;
  readonly #item: OpenItem;
  #isOpen = true;

  /** Announces the command as started. `environment` is left out for work on this machine. */
  constructor(items: ItemSink, command: string, environment: string | undefined) {
    this.#command = {
      type: "command_execution",
      command,
      aggregated_output: "",
      exit_code: null,
      status: "in_progress",
      ...(environment === undefined ? {} : { environment }),
    };
    this.#item = items.start(this.#command);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** `exitCode` is null when nobody will know it: the command is still running, or its machine is lost. Only the first call counts. */
  complete(exitCode: number | null, output: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#item.complete({
      ...this.#command,
      aggregated_output: output,
      exit_code: exitCode,
      status: exitCode === 0 ? "completed" : "failed",
    });
  }
}
