import { resolveApiKey } from "@codex/core";
import type { Check } from "./check.ts";

/** Whether there is a key for the model's server, and whether it answers anything at all. Nothing is asked of a model. */
export const providerCheck: Check = {
  name: "model provider",
  async run({ context, settings, signal }) {
    const loaded = await settings().catch(() => undefined);
    if (loaded === undefined)
      return { isGood: false, text: "not asked: the settings cannot be read" };
    const { config } = loaded;
    const { id, baseUrl } = config.modelProvider;
    resolveApiKey(config.modelProvider, context.env);
    const problem = await problemWith(baseUrl, signal);
    return problem === undefined
      ? { isGood: true, text: `${id} at ${baseUrl} answers (model ${config.model})` }
      : {
          isGood: false,
          text: `${id} at ${baseUrl} cannot be reached: ${problem}. Check the network, or base_url of the provider`,
        };
  },
};

/** Any answer will do: without a key and a body most servers refuse. */
async function problemWith(baseUrl: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const answer = await fetch(baseUrl, { method: "HEAD", redirect: "manual", signal });
    await answer.body?.cancel();
    return undefined;
  } catch (error) {
    const { cause, message } = error as Error;
    return cause instanceof Error && cause.message !== "" ? cause.message : message;
  }
}
