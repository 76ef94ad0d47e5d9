import { readFile } from "node:fs/promises";
import { arch, platform, release } from "node:os";
import { resolve } from "node:path";
import {
  type Config,
  createReplayClient,
  createResponsesClient,
  type ModelClient,
  modelInfoFor,
  type RequestSettings,
} from "@codex/core";
import { ownDirectory } from "../config/load.ts";
import type { ProcessContext } from "../process-context.ts";
import { StartError } from "../start-error.ts";
import { productName, productVersion } from "../version.ts";
import type { ExecOptions } from "./options.ts";

export interface OpenedModel {
  readonly client: ModelClient & Partial<AsyncDisposable>;
  /** What the header says of model and provider. */
  readonly shownAs: { readonly model: string; readonly provider: string };
}

/** The model of a run: a server, or the conversation file `--replay` names. Throws core's `ModelError` when there is no key or the file does not fit. */
export async function openModel(
  options: Pick<ExecOptions, "replay">,
  config: Config,
  context: ProcessContext,
): Promise<OpenedModel> {
  if (options.replay !== undefined) return replayedModel(options.replay, context);
  const client = createResponsesClient(requestSettings(config, context));
  return { client, shownAs: { model: config.model, provider: config.modelProvider.id } };
}

/** What every request of a run says of the run. */
export function requestSettings(config: Config, context: ProcessContext): RequestSettings {
  return {
    provider: config.modelProvider,
    model: modelInfoFor(config.model),
    settings: {
      effort: config.modelReasoningEffort,
      summary: config.modelReasoningSummary,
      verbosity: config.modelVerbosity,
    },
    variables: context.env,
    userAgent: `${productName}/${productVersion()} (${platform()} ${release()}; ${arch()})`,
    originator: originatorOf(context),
  };
}

/** What kind of program asks; programs that start this one say their own name. */
export function originatorOf({ env }: Pick<ProcessContext, "env">): string {
  return env["CODEX_INTERNAL_ORIGINATOR_OVERRIDE"] || "codex_exec";
}

async function replayedModel(file: string, context: ProcessContext): Promise<OpenedModel> {
  const text = await readFile(resolve(ownDirectory(context), file), "utf8").catch(
    (cause: Error) => {
      throw new StartError(`Failed to read the conversation file ${file}: ${cause.message}`, {
        cause,
      });
    },
  );
  const model = `replayed from ${file} (the tools are real)`;
  const shownAs = { model, provider: "none" };
  return { client: createReplayClient({ text, file }), shownAs };
}
