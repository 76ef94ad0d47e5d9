import type { ThreadEvent } from "@codex/protocol";
import type { StandardOutput } from "../standard-output.ts";
import type { EventOutput } from "./event-output.ts";

/** Prints each event as one line of JSON on stdout. */
export function jsonOutput(stdout: StandardOutput): EventOutput {
  return {
    event: (event) => stdout.write(jsonLine(event)),
    finish: () => {},
  };
}

/** One line: U+2028 and U+2029 are escaped, since some readers take them for line ends. */
export function jsonLine(event: ThreadEvent): string {
  const text = JSON.stringify(event);
  return `${text.replaceAll("\u2028", String.raw`\u2028`).replaceAll("\u2029", String.raw`\u2029`)}\n`;
}
