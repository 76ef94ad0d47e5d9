import type { ModelProvider } from "./config.ts";
import { ConfigError } from "./config-error.ts";
import type { ModelProviderToml } from "./config-tables.ts";
import { defaultBaseUrl, maxRetries, nonBlank, providerDefaults } from "../model/providers.ts";
import { ollamaChatRemoved } from "./removed-settings.ts";

/** The built-in providers and those of `[model_providers]`, by id. Throws when a built-in id is defined anew. */
export function providerTable(
  builtIn: Readonly<Record<string, ModelProvider>>,
  configured: Readonly<Record<string, ModelProviderToml>>,
): ReadonlyMap<string, ModelProvider> {
  const reserved = Object.keys(configured).filter((id) => Object.hasOwn(builtIn, id));
  if (reserved.length > 0) {
    const ids = reserved.map((id) => `\`${id}\``).join(", ");
    throw new ConfigError(
      "provider",
      `model_providers contains reserved built-in provider IDs: ${ids}. Built-in providers cannot be overridden. Rename your custom provider (for example, \`${reserved[0]}-custom\`).`,
    );
  }
  const own = Object.entries(configured).map(([id, toml]) => [id, fromToml(id, toml)] as const);
  return new Map([...Object.entries(builtIn), ...own]);
}

/** The provider called `id`. Throws a {@link ConfigError} of kind `provider` when there is none. */
export function findProvider(
  providers: ReadonlyMap<string, ModelProvider>,
  id: string,
): ModelProvider {
  const provider = providers.get(id);
  if (provider !== undefined) return provider;
  const text = id === "ollama-chat" ? ollamaChatRemoved : `Model provider \`${id}\` not found`;
  throw new ConfigError("provider", text);
}

function fromToml(id: string, toml: ModelProviderToml): ModelProvider {
  const defaults = providerDefaults;
  return {
    id,
    name: toml.name,
    baseUrl: nonBlank(toml.base_url) ?? defaultBaseUrl,
    envKey: toml.env_key,
    envKeyInstructions: toml.env_key_instructions,
    bearerToken: toml.experimental_bearer_token,
    queryParams: toml.query_params ?? defaults.queryParams,
    httpHeaders: toml.http_headers ?? defaults.httpHeaders,
    envHttpHeaders: toml.env_http_headers ?? defaults.envHttpHeaders,
    requestForm: "instructions",
    requiresOpenaiAuth: toml.requires_openai_auth ?? defaults.requiresOpenaiAuth,
    requestMaxRetries: Math.min(toml.request_max_retries ?? defaults.requestMaxRetries, maxRetries),
    streamMaxRetries: Math.min(toml.stream_max_retries ?? defaults.streamMaxRetries, maxRetries),
    streamIdleTimeoutMs: toml.stream_idle_timeout_ms ?? defaults.streamIdleTimeoutMs,
    retryBaseDelayMs: toml.retry_base_delay_ms ?? defaults.retryBaseDelayMs,
  };
}
