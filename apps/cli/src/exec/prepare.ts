import type { Config, InputImage, ResumedThread } from "@codex/core";
import type { Environment } from "@codex/environment";
import { loadSettings, ownDirectory } from "../config/load.ts";
import type { ProcessContext } from "../process-context.ts";
import { checkDirectory } from "./check-directory.ts";
import { checkSandbox } from "./check-sandbox.ts";
import { findThread, type ThreadPlace } from "./find-thread.ts";
import { type LastMessageFile, openLastMessageFile } from "./last-message-file.ts";
import { openEnvironment } from "./open-environment.ts";
import { type OpenedModel, openModel } from "./open-model.ts";
import type { ExecOptions } from "./options.ts";
import { readOutputSchema } from "./output-schema.ts";
import { readImages } from "./read-images.ts";
import { readPrompt } from "./stdin-prompt.ts";

/** A run with everything it needs, checked; the model has not been asked yet. */
export interface PreparedRun {
  readonly config: Config;
  readonly model: OpenedModel;
  readonly environment: Environment;
  readonly prompt: string;
  readonly images: readonly InputImage[];
  readonly resumed: ResumedThread | undefined;
  readonly outputSchema: unknown;
  readonly lastMessageFile: LastMessageFile | undefined;
}

export interface Preparation {
  readonly context: ProcessContext;
  readonly signal: AbortSignal;
  /** Takes over what has to be disposed, as soon as it exists. */
  readonly own: (owned: AsyncDisposable) => void;
  /** Left out: the model the settings name. */
  readonly openModel?: typeof openModel;
}

/** Checks all that can be known before the first request. Throws for {@link startFailure}. */
export async function prepareRun(
  options: ExecOptions,
  { context, signal, own, openModel: open = openModel }: Preparation,
): Promise<PreparedRun> {
  const prompt = promptOf(options, context, signal);
  // Waiting for standard input overlaps with the checks; the first failure is the one that is told.
  prompt.catch(() => {});
  const cwd = ownDirectory(context);
  const { config } = await loadSettings(options, context);
  const model = await open(options, config, context);
  if (model.client[Symbol.asyncDispose] !== undefined) own(model.client as AsyncDisposable);
  const { outputSchema: schemaPath, outputLastMessage: filePath } = options;
  const outputSchema =
    schemaPath === undefined ? undefined : await readOutputSchema(schemaPath, cwd);
  const lastMessageFile =
    filePath === undefined ? undefined : await openLastMessageFile(filePath, cwd);
  const environment = await openEnvironment(config, context, signal);
  own(environment);
  if (config.environment.kind !== "none") {
    const sandboxed = checkSandbox(environment, config.sandbox, signal);
    sandboxed.catch(() => {}); // it takes longest, and what is wrong with the directory is told first
    await checkDirectory(environment, { skipGitRepoCheck: options.skipGitRepoCheck, signal });
    await sandboxed;
  }
  const resumed = options.resume && findThread(options.resume, placeOf(config, environment));
  const images = await readImages(options.images, cwd, signal);
  const checked = { config, model, environment, resumed, images, outputSchema, lastMessageFile };
  return { ...checked, prompt: await prompt };
}

function placeOf(config: Config, environment: Environment): ThreadPlace {
  return {
    codexHome: config.codexHome,
    workdir: config.cwd,
    environment: environment.name,
    modelProvider: config.modelProvider.id,
  };
}

function promptOf(
  options: ExecOptions,
  { stdin, stderr }: ProcessContext,
  signal: AbortSignal,
): Promise<string> {
  const notice = (text: string): void => stderr.write(`${text}\n`);
  return readPrompt(options.prompt, { stdin, notice, signal });
}
