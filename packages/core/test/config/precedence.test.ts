import { expect, test } from "vitest";
import { configFixture } from "./config-fixture.ts";

const layers = ["system", "user", "project", "profile", "override", "flag"] as const;

// Every pair of layers that both set the model: the one further right wins.
const pairs = layers.flatMap((low, index) =>
  layers.slice(index + 1).map((high) => [low, high] as const),
);

test.each(pairs)("precedence: %s is beaten by %s", async (low, high) => {
  const has = (layer: string): boolean => layer === low || layer === high;
  await using fixture = await configFixture({
    "project/.git/": "",
    "etc/config.toml": has("system") ? 'model = "system"' : "",
    "project/.codex/config.toml": has("project") ? 'model = "project"' : "",
  });
  await fixture.directory.write(
    "home/config.toml",
    [
      has("user") ? 'model = "user"' : "",
      `[projects."${fixture.path("project")}"]`,
      'trust_level = "trusted"',
      "[profiles.p]",
      has("profile") ? 'model = "profile"' : "",
    ].join("\n"),
  );
  const { config, origins } = await fixture.load({
    flags: {
      profile: "p",
      ...(has("flag") ? { model: "flag" } : {}),
      overrides: has("override") ? ["model=override"] : [],
    },
  });
  expect([config.model, origins.get("model")?.kind]).toEqual([high, high]);
});

test("seed E6: a profile's list replaces the top-level one, its tables are merged key by key", async () => {
  await using fixture = await configFixture({
    "home/config.toml": `
      profile = "p"
      experimental_supported_tools = ["grep_files"]
      [features]
      view_image = false
      [profiles.p]
      experimental_supported_tools = ["read_file"]
      [profiles.p.features]
      shell_tool = false
    `,
  });
  const { config } = await fixture.load();
  expect(config.experimentalSupportedTools).toEqual(["read_file"]);
  expect(config.features).toMatchObject({ view_image: false, shell_tool: false });
});

test("seed E3: a blank URL in the profile hides the one at top level", async () => {
  await using fixture = await configFixture({
    "home/config.toml": `
      experimental_unified_exec_use_exec_server = true
      experimental_unified_exec_exec_server_websocket_url = "  ws://127.0.0.1:1  "
      [profiles.p]
      experimental_unified_exec_exec_server_websocket_url = "   "
    `,
  });
  const plain = await fixture.load();
  expect(plain.config.environment).toMatchObject({ kind: "websocket", url: "ws://127.0.0.1:1" });
  const profiled = await fixture.load({ flags: { profile: "p" } });
  expect(profiled.config.environment).toMatchObject({ kind: "inProcess" });
});

test("seed E7: -c beats the profile here (decision 0050)", async () => {
  await using fixture = await configFixture({
    "home/config.toml": "[profiles.p]\nexperimental_unified_exec_use_exec_server = true",
  });
  const { config } = await fixture.load({
    flags: { profile: "p", overrides: ["experimental_unified_exec_use_exec_server=false"] },
  });
  expect(config.environment).toEqual({ kind: "local" });
});

test("a value knows its file, a replaced table leaves no trace", async () => {
  await using fixture = await configFixture({
    "etc/config.toml": 'shell_environment_policy = { inherit = "none", set = { A = "1" } }',
    "home/config.toml": '[shell_environment_policy]\nset = { B = "2" }',
  });
  const { config, origins } = await fixture.load();
  expect(config.shellEnvironmentPolicy).toMatchObject({ inherit: "none", set: { A: "1", B: "2" } });
  const files = ["inherit", "set.A", "set.B", "exclude"].map(
    (key) => origins.get(`shell_environment_policy.${key}`)?.file,
  );
  const [system, user] = [fixture.path("etc/config.toml"), fixture.path("home/config.toml")];
  expect(files).toEqual([system, system, user, undefined]);
});
