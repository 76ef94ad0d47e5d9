import type { ModelProvider } from "../config/config.ts";

/** Process environment variables, passed in by the application. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** What a provider that says nothing about it gets; the retry counts are capped at `maxRetries`. */
export const providerDefaults = {
  queryParams: {},
  httpHeaders: {},
  envHttpHeaders: {},
  requiresOpenaiAuth: false,
  requestMaxRetries: 4,
  streamMaxRetries: 5,
  streamIdleTimeoutMs: 300_000,
  retryBaseDelayMs: 200,
} as const satisfies Partial<ModelProvider>;

/** The highest number of retries a provider may ask for. */
export const maxRetries = 100;

/** Where the `openai` provider is when nobody moves it, and a provider table entry without a `base_url`. */
export const defaultBaseUrl = "https://api.openai.com/v1";

export const builtInProviderIds = ["openai", "ollama", "lmstudio"] as const;
export type BuiltInProviderId = (typeof builtInProviderIds)[number];

const localPorts = { ollama: 11_434, lmstudio: 1234 } as const;

/**
 * The providers every run has. `openaiBaseUrl` moves `openai`. The two local ones are at `localhost`, at their usual
 * port; `CODEX_OSS_PORT` and `CODEX_OSS_BASE_URL` move both of them, blank values do not count.
 */
export function builtInProviders(options: {
  readonly variables: Variables;
  readonly openaiBaseUrl?: string | undefined;
}): Readonly<Record<BuiltInProviderId, ModelProvider>> {
  return {
    openai: openai(options.openaiBaseUrl),
    ollama: local("ollama", "Ollama", options.variables),
    lmstudio: local("lmstudio", "LM Studio", options.variables),
  };
}

function openai(baseUrl: string | undefined): ModelProvider {
  return {
    ...providerDefaults,
    id: "openai",
    name: "OpenAI",
    baseUrl: nonBlank(baseUrl) ?? defaultBaseUrl,
    envKey: undefined,
    envKeyInstructions: undefined,
    bearerToken: undefined,
    envHttpHeaders: {
      "OpenAI-Organization": "OPENAI_ORGANIZATION",
      "OpenAI-Project": "OPENAI_PROJECT",
    },
    requestForm: "developerItem",
    requiresOpenaiAuth: true,
  };
}

function local(id: "ollama" | "lmstudio", name: string, variables: Variables): ModelProvider {
  const port = nonBlank(variables["CODEX_OSS_PORT"]) ?? String(localPorts[id]);
  return {
    ...providerDefaults,
    id,
    name,
    baseUrl: nonBlank(variables["CODEX_OSS_BASE_URL"]) ?? `http://localhost:${port}/v1`,
    envKey: undefined,
    envKeyInstructions: undefined,
    bearerToken: undefined,
    requestForm: "instructions",
  };
}

/** The text without surrounding white space; undefined when nothing is left. */
export function nonBlank(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === "" ? undefined : trimmed;
}
