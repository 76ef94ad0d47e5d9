import { expect, test } from "vitest";
import { configFixture, userConfig } from "./config-fixture.ts";
import type { ConfigFlags } from "@codex/core";

test("config.md 10: a table with nothing but a name has every default", async () => {
  await using fixture = await userConfig(
    'model_provider = "mine"\n[model_providers.mine]\nname = "Mine"',
  );
  expect((await fixture.load()).config.modelProvider).toEqual({
    id: "mine",
    name: "Mine",
    baseUrl: "https://api.openai.com/v1",
    envKey: undefined,
    envKeyInstructions: undefined,
    bearerToken: undefined,
    queryParams: {},
    httpHeaders: {},
    envHttpHeaders: {},
    requestForm: "instructions",
    requiresOpenaiAuth: false,
    requestMaxRetries: 4,
    streamMaxRetries: 5,
    streamIdleTimeoutMs: 300_000,
    retryBaseDelayMs: 200,
  });
});

test("config.md 10: one table's fields may come from several layers", async () => {
  await using fixture = await userConfig('[model_providers.mine]\nname = "Mine"');
  const { config } = await fixture.load({
    flags: { overrides: ["model_provider=mine", "model_providers.mine.base_url=http://h/v1"] },
  });
  expect(config.modelProvider).toMatchObject({ name: "Mine", baseUrl: "http://h/v1" });
});

test("openai_base_url moves the built-in provider; OPENAI_BASE_URL does too, with a warning", async () => {
  await using fixture = await configFixture();
  const variables = { OPENAI_BASE_URL: "http://variable/v1" };
  const byKey = await fixture.load({
    variables,
    flags: { overrides: ["openai_base_url=http://key/v1"] },
  });
  expect([byKey.config.modelProvider.baseUrl, byKey.warnings]).toEqual(["http://key/v1", []]);
  const byVariable = await fixture.load({ variables });
  expect([byVariable.config.modelProvider.baseUrl, byVariable.warnings]).toEqual([
    "http://variable/v1",
    ["OPENAI_BASE_URL is deprecated: set `openai_base_url` in config.toml instead"],
  ]);
});

test.each<[string, string, ConfigFlags, string, string]>([
  ["--oss", "", { oss: true }, "ollama", "gpt-oss:20b"],
  [
    "--oss with oss_provider",
    'oss_provider = "lmstudio"',
    { oss: true },
    "lmstudio",
    "openai/gpt-oss-20b",
  ],
  ["--local-provider alone", "", { localProvider: "lmstudio" }, "lmstudio", "openai/gpt-oss-20b"],
  [
    "--local-provider over oss_provider",
    'oss_provider = "lmstudio"',
    { oss: true, localProvider: "ollama" },
    "ollama",
    "gpt-oss:20b",
  ],
  [
    "--oss leaves the everyday model aside",
    'model = "gpt-5.5"',
    { oss: true },
    "ollama",
    "gpt-oss:20b",
  ],
  ["--oss with -m", "", { oss: true, model: "llama" }, "ollama", "llama"],
  ["--oss with -c model", "", { oss: true, overrides: ["model=llama"] }, "ollama", "llama"],
  [
    "--oss with a profile's model",
    '[profiles.p]\nmodel = "llama"',
    { oss: true, profile: "p" },
    "ollama",
    "llama",
  ],
  [
    "model_provider = ollama without a model",
    'model_provider = "ollama"',
    {},
    "ollama",
    "gpt-oss:20b",
  ],
  [
    "model_provider = ollama with a model",
    'model_provider = "ollama"\nmodel = "llama"',
    {},
    "ollama",
    "llama",
  ],
])("config.md 10: %s", async (_, toml, flags, provider, model) => {
  await using fixture = await userConfig(toml);
  const { config } = await fixture.load({ flags });
  expect([config.modelProvider.id, config.model]).toEqual([provider, model]);
});
