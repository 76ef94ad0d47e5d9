import {
  type Config,
  createAgent,
  ModelError,
  outgoingRequest,
  type Prompt,
  resolveApiKey,
} from "@codex/core";
import { localToday } from "../exec/local-today.ts";
import { type OpenedModel, originatorOf, requestSettings } from "../exec/open-model.ts";
import type { ExecOptions } from "../exec/options.ts";
import { prepareRun } from "../exec/prepare.ts";
import { startFailure } from "../exec/start-failure.ts";
import { exitCode } from "../exit-code.ts";
import type { ProcessContext } from "../process-context.ts";
import { productVersion } from "../version.ts";

/** Prepares a run as `codex exec` does, up to the first request, and prints that. Nothing is sent and nothing kept. */
export async function printFirstRequest(
  options: ExecOptions,
  context: ProcessContext,
): Promise<number> {
  try {
    const { config, prompt } = await firstPrompt(options, context);
    const settings = requestSettings(config, context);
    const { url, headers, body } = outgoingRequest(prompt, settings, keyOf(config, context));
    const shown = { method: "POST", url: url.href, headers: withoutSecrets(headers), body };
    context.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
    return exitCode.completed;
  } catch (error) {
    const failure = startFailure(error);
    context.stderr.write(`${failure.message}\n`);
    return failure.exitCode;
  }
}

async function firstPrompt(options: ExecOptions, context: ProcessContext) {
  const model = new NeverAskedModel();
  const openModel = async (): Promise<OpenedModel> => ({
    client: model,
    shownAs: { model: "", provider: "" },
  });
  const { signal } = new AbortController();
  const owned: AsyncDisposable[] = [];
  try {
    const own = (thing: AsyncDisposable): number => owned.push(thing);
    const prepared = await prepareRun(options, { context, signal, own, openModel });
    const { config, environment, prompt: text, images, outputSchema } = prepared;
    const agent = createAgent({
      config,
      environment,
      model,
      isEphemeral: true,
      originator: originatorOf(context),
      version: productVersion(),
      today: () => localToday(new Date(context.now()), context.env),
    });
    const thread = agent.startThread();
    own(thread);
    const { error } = await thread.run({ text, images }, { outputSchema });
    if (model.prompt === undefined) throw new Error(error?.message);
    return { config, prompt: model.prompt };
  } finally {
    for (const thing of owned.toReversed()) await thing[Symbol.asyncDispose]();
  }
}

/** Takes the question and gives no answer. */
class NeverAskedModel {
  prompt: Prompt | undefined;

  // oxlint-disable-next-line require-yield
  async *stream(prompt: Prompt): AsyncGenerator<never, void, undefined> {
    this.prompt = prompt;
    throw new ModelError("invalidRequest", "not sent", { isRetryable: false, phase: "request" });
  }
}

function keyOf({ modelProvider }: Config, { env }: ProcessContext): string | undefined {
  try {
    return resolveApiKey(modelProvider, env);
  } catch (error) {
    if (error instanceof ModelError && error.kind === "missingKey") return undefined;
    throw error;
  }
}

/** Headers of these names keep their presence, not their content. */
const secret = /authorization|cookie|key|secret|token/i;

function withoutSecrets(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, secret.test(name) ? "(hidden)" : value]),
  );
}
