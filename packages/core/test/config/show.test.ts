import { expect, test } from "vitest";
import { shownValues, shownValuesText } from "@codex/core";
import { configFixture, userConfig } from "./config-fixture.ts";

test("codex config show: every value with the layer it comes from, secrets masked", async () => {
  await using fixture = await configFixture({
    "project/.git/": "",
    "etc/config.toml": "hide_agent_reasoning = true",
    "project/.codex/config.toml": "project_doc_max_bytes = 1",
  });
  await fixture.directory.write(
    "home/config.toml",
    `
      profile = "p"
      openai_base_url = "https://me:pw@proxy.example/v1"
      [model_providers.mock]
      name = "Mock"
      env_key = "MOCK_API_KEY"
      experimental_bearer_token = "sk-1"
      http_headers = { Authorization = "Bearer sk-2" }
      query_params = { key = "sk-3" }
      [shell_environment_policy.set]
      NPM_TOKEN = "npm-4"
      [profiles.p]
      model_verbosity = "low"
      [profiles.other]
      model = "unseen"
      [environments.box]
      url = "wss://u:pw@host"
      token_env = "BOX_TOKEN"
      [projects."${fixture.path("project")}"]
      trust_level = "trusted"
    `,
  );
  const loaded = await fixture.load({
    variables: { CODEX_EXEC_SERVER_URL: "ws://h:1" },
    flags: { model: "m", overrides: ["web_search=live"] },
  });
  const text = fixture.masked(shownValuesText(shownValues(loaded)));
  expect(text).not.toMatch(/sk-|npm-4|pw@/);
  await expect(text).toMatchFileSnapshot("golden/show.txt");
});

test("codex config show: what nobody sets is shown as it was decided", async () => {
  await using fixture = await userConfig("");
  const shown = async (flags = {}, variables = {}): Promise<unknown> => {
    const values = shownValues(await fixture.load({ flags, variables }));
    const keys = ["environment", "model", "model_provider"];
    return values.filter(({ key }) => keys.includes(key));
  };
  expect(await shown()).toEqual([
    { key: "environment", value: "local", layer: "default" },
    { key: "model", value: "gpt-5.5", layer: "default" },
    { key: "model_provider", value: "openai", layer: "default" },
  ]);
  const useServer = ["experimental_unified_exec_use_exec_server=true"];
  expect(await shown({ oss: true, overrides: useServer })).toEqual([
    { key: "environment", value: "in-process", layer: "override" },
    { key: "model", value: "gpt-oss:20b", layer: "default" },
    { key: "model_provider", value: "ollama", layer: "flag" },
  ]);
  expect(await shown({ model: "m", environment: "none" })).toMatchObject([
    { key: "environment", value: "none", layer: "flag" },
    { key: "model", value: "m", layer: "flag" },
    { key: "model_provider" },
  ]);
});
