import { describe, expect, test } from "vitest";
import { resolveApiKey } from "../../src/model/api-key.ts";
import { ModelError } from "../../src/model/model-client.ts";
import { builtInProviders } from "../../src/model/providers.ts";
import { testProvider } from "./test-provider.ts";

describe("builtInProviders", () => {
  test("config.md 10: openai, with its headers from variables", () => {
    expect(builtInProviders({ variables: {} }).openai).toEqual({
      id: "openai",
      name: "OpenAI",
      baseUrl: "https://api.openai.com/v1",
      envKey: undefined,
      envKeyInstructions: undefined,
      bearerToken: undefined,
      queryParams: {},
      httpHeaders: {},
      envHttpHeaders: {
        "OpenAI-Organization": "OPENAI_ORGANIZATION",
        "OpenAI-Project": "OPENAI_PROJECT",
      },
      requestForm: "developerItem",
      requiresOpenaiAuth: true,
      requestMaxRetries: 4,
      streamMaxRetries: 5,
      streamIdleTimeoutMs: 300_000,
      retryBaseDelayMs: 200,
    });
  });

  test("openai can be moved; a blank address moves nothing", () => {
    const moved = builtInProviders({ variables: {}, openaiBaseUrl: "http://127.0.0.1:1/v1" });
    expect(moved.openai.baseUrl).toBe("http://127.0.0.1:1/v1");
    const blank = builtInProviders({ variables: {}, openaiBaseUrl: " " });
    expect(blank.openai.baseUrl).toBe("https://api.openai.com/v1");
  });

  test.each([
    [{}, "http://localhost:11434/v1", "http://localhost:1234/v1"],
    [{ CODEX_OSS_PORT: "5" }, "http://localhost:5/v1", "http://localhost:5/v1"],
    [{ CODEX_OSS_PORT: " " }, "http://localhost:11434/v1", "http://localhost:1234/v1"],
    [
      { CODEX_OSS_BASE_URL: "http://a:1/v1", CODEX_OSS_PORT: "5" },
      "http://a:1/v1",
      "http://a:1/v1",
    ],
  ])(
    "config.md 10: with %j the local providers are at %s and %s",
    (variables, ollama, lmstudio) => {
      const providers = builtInProviders({ variables });
      expect(providers.ollama).toMatchObject({
        id: "ollama",
        baseUrl: ollama,
        requestForm: "instructions",
        requiresOpenaiAuth: false,
      });
      expect(providers.lmstudio).toMatchObject({ id: "lmstudio", baseUrl: lmstudio });
    },
  );
});

describe("resolveApiKey", () => {
  const { openai, ollama } = builtInProviders({ variables: {} });

  test.each([
    [
      "CODEX_API_KEY before OPENAI_API_KEY",
      openai,
      { CODEX_API_KEY: "a", OPENAI_API_KEY: "b" },
      "a",
    ],
    [
      "OPENAI_API_KEY when the other is blank",
      openai,
      { CODEX_API_KEY: " ", OPENAI_API_KEY: "b" },
      "b",
    ],
    ["a key without the line end it was read with", openai, { OPENAI_API_KEY: "b\n" }, "b"],
    ["no key where none is wanted", ollama, { OPENAI_API_KEY: "b" }, undefined],
    ["the named variable", testProvider({ envKey: "K" }), { K: "k", OPENAI_API_KEY: "b" }, "k"],
    [
      "the named variable before the token",
      testProvider({ envKey: "K", bearerToken: "t" }),
      { K: "k" },
      "k",
    ],
    [
      "the token when the variable is unset",
      testProvider({ envKey: "K", bearerToken: "t" }),
      {},
      "t",
    ],
  ])("takes %s", (_what, provider, variables, key) => {
    expect(resolveApiKey(provider, variables)).toBe(key);
  });

  test.each([
    [{ envKey: "K" }, "Missing environment variable: `K`."],
    [
      { envKey: "K", envKeyInstructions: "Get one at https://example.test." },
      "Missing environment variable: `K`. Get one at https://example.test.",
    ],
  ])(
    "config.md 10: a provider with %j and a blank variable fails as missingKey",
    (changes, message) => {
      expect(missingKey(testProvider(changes), { K: " " })).toEqual({
        kind: "missingKey",
        message,
      });
    },
  );

  test("without any key the built-in provider names the ways to get going", () => {
    const { kind, message } = missingKey(openai, {});
    expect(kind).toBe("missingKey");
    expect(message).toMatchInlineSnapshot(`
      "Missing environment variable: \`OPENAI_API_KEY\`. There is no key for a model yet. Ways to get going:
        - set OPENAI_API_KEY (or CODEX_API_KEY) to a key of the OpenAI API
        - use a model on this machine: --oss (Ollama, or LM Studio with --local-provider lmstudio)
        - use another server: a table [model_providers.NAME] with base_url and env_key in config.toml, and model_provider = "NAME"
        - see it work without a model: pnpm demo, or --replay FILE"
    `);
  });

  function missingKey(...parameters: Parameters<typeof resolveApiKey>) {
    try {
      resolveApiKey(...parameters);
    } catch (error) {
      if (error instanceof ModelError) return { kind: error.kind, message: error.message };
    }
    throw new Error("no ModelError");
  }
});
