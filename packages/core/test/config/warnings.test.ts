import { expect, test } from "vitest";
import { configFixture } from "./config-fixture.ts";

test("a misspelt key is one warning with key, place and the key that was meant", async () => {
  await using fixture = await configFixture({
    "etc/config.toml": 'modle = "system"',
    "home/config.toml": [
      'modle = "user"',
      "network_access = true",
      "zebra = 1",
      "[tools]",
      "view_imag = true",
      'model = "x"',
      "[features]",
      "veiw_image = true",
      "[model_providers.m]",
      'name = "m"',
      'base_ulr = "http://h"',
      "[profiles.p]",
      'sandbox_mod = "read-only"',
      "tools = { update_plan = { enable = true } }",
      "[environments.box]",
      "in_process = true",
      'workspaceroot = "/w"',
      "[nonsense]",
      "a = 1",
      "b = 2",
    ].join("\n"),
  });
  const { config, warnings } = await fixture.load({
    flags: { profile: "p", overrides: ["sandbox.mode=x", "model=fine"] },
  });

  expect(config.model).toBe("fine");
  await expect(`${warnings.map(fixture.masked).join("\n")}\n`).toMatchFileSnapshot(
    "golden/unknown-keys.txt",
  );
});

test("keys of the original that mean nothing here are one notice, off is no wish", async () => {
  await using fixture = await configFixture({
    "home/config.toml": `
      notify = ["a"]
      check_for_update_on_startup = false
      approval_policy = "on-request"
      [tui]
      theme = "x"
      [history]
      persistence = "none"
      [mcp_servers.docs]
      command = "docs"
      [features]
      plugins = false
      apps = true
      goals = true
      unified_exec = false
      collab = true
    `,
  });
  const { warnings } = await fixture.load({ flags: { overrides: ["personality=friendly"] } });
  await expect(`${warnings.map(fixture.masked).join("\n")}\n`).toMatchFileSnapshot(
    "golden/original-keys.txt",
  );
});

test("what the official client sends is accepted without a word", async () => {
  await using fixture = await configFixture();
  const { warnings } = await fixture.load({
    flags: {
      overrides: [
        'approval_policy="never"',
        'openai_base_url="http://127.0.0.1:1/v1"',
        'model_reasoning_effort="high"',
        "sandbox_workspace_write.network_access=true",
        'web_search="disabled"',
      ],
    },
  });
  expect(warnings).toEqual([]);
});
