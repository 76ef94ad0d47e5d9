import { type Config, modelInfoFor } from "@codex/core";
import type { ProcessContext } from "../process-context.ts";
import { productName, productVersion } from "../version.ts";
import type { EventOutput } from "./event-output.ts";
import { humanOutput } from "./human-output.ts";
import type { ExecOptions } from "./options.ts";
import type { PreparedRun } from "./prepare.ts";
import { usesColor } from "./style.ts";

/** The output for a person, with the facts of this run above it. */
export function humanOutputFor(
  { config, model, environment, prompt }: PreparedRun,
  { color }: ExecOptions,
  context: ProcessContext,
): EventOutput {
  const { effort, summary } = modelInfoFor(config.model).reasoning;
  const elsewhere = environment.name === "local" ? {} : { environment: environment.name };
  return humanOutput(context, {
    title: `${productName} ${productVersion()}`,
    header: {
      workdir: config.cwd,
      ...elsewhere,
      ...model.shownAs,
      approval: "never",
      sandbox: sandboxText(config),
      "reasoning effort": config.modelReasoningEffort ?? effort ?? "none",
      "reasoning summaries": config.modelReasoningSummary ?? summary ?? "none",
    },
    prompt,
    isColored: usesColor(color, context.stderr.isTerminal, context.env),
    hidesReasoning: config.hideAgentReasoning,
  });
}

function sandboxText({ sandbox }: Config): string {
  if (sandbox.mode === "danger-full-access") return sandbox.mode;
  const network = sandbox.networkAccess ? " (network access enabled)" : "";
  if (sandbox.mode === "read-only") return `${sandbox.mode}${network}`;
  const places = [
    ...sandbox.writableRoots,
    ...(sandbox.includeSlashTmp ? ["/tmp"] : []),
    ...(sandbox.includeTmpdir ? ["$TMPDIR"] : []),
  ];
  return `${sandbox.mode} [${places.join(", ")}]${network}`;
}
