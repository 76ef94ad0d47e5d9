import type { ConfigLayer } from "@codex/core";
import type { Check } from "./check.ts";

/** Whether the settings can be read, and from where they come. */
export const settingsCheck: Check = {
  name: "settings",
  async run({ settings }) {
    const { layers, warnings } = await settings();
    const files = layers.flatMap(describe);
    const from = files.length === 0 ? "no file, every setting has its default" : files.join(", ");
    if (warnings.length === 0) return { isGood: true, text: from };
    // A warning does not stop a run.
    return {
      isGood: true,
      text: `${from}; warnings: ${warnings.join("; ").replaceAll("\n", " ")}`,
    };
  },
};

function describe({ kind, file, profile }: ConfigLayer): string[] {
  if (kind === "profile") return [`profile ${profile ?? ""}`];
  return file === undefined ? [] : [`${kind} ${file}`];
}
