import type { ModelProvider } from "../config/config.ts";
import { ModelError } from "./model-client.ts";
import { nonBlank, type Variables } from "./providers.ts";

// The first that is set wins, so that a run can have a key of its own beside the one other programs use.
const openaiKeys = ["CODEX_API_KEY", "OPENAI_API_KEY"] as const;

/**
 * The key a provider's requests carry, trimmed; undefined when it wants none. A variable the provider names comes
 * first, then a token written in its table, then, for a provider with `requiresOpenaiAuth`, `CODEX_API_KEY` and
 * `OPENAI_API_KEY`. Throws a {@link ModelError} of kind `missingKey` that says how to get going.
 */
export function resolveApiKey(provider: ModelProvider, variables: Variables): string | undefined {
  const named = provider.envKey === undefined ? undefined : nonBlank(variables[provider.envKey]);
  const key = named ?? nonBlank(provider.bearerToken);
  if (key !== undefined) return key;
  if (provider.envKey !== undefined) {
    throw missingKey(missing(provider.envKey, nonBlank(provider.envKeyInstructions)));
  }
  if (!provider.requiresOpenaiAuth) return undefined;
  for (const name of openaiKeys) {
    const value = nonBlank(variables[name]);
    if (value !== undefined) return value;
  }
  throw missingKey(missing("OPENAI_API_KEY", waysToGetGoing));
}

const waysToGetGoing = `There is no key for a model yet. Ways to get going:
  - set OPENAI_API_KEY (or CODEX_API_KEY) to a key of the OpenAI API
  - use a model on this machine: --oss (Ollama, or LM Studio with --local-provider lmstudio)
  - use another server: a table [model_providers.NAME] with base_url and env_key in config.toml, and model_provider = "NAME"
  - see it work without a model: pnpm demo, or --replay FILE`;

function missing(variable: string, instructions: string | undefined): string {
  const text = `Missing environment variable: \`${variable}\`.`;
  return instructions === undefined ? text : `${text} ${instructions}`;
}

function missingKey(message: string): ModelError {
  return new ModelError("missingKey", message, { isRetryable: false, phase: "request" });
}
