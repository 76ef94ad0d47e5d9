import { expect, test } from "vitest";
import { configFixture, userConfig } from "./config-fixture.ts";

const limits = { connectTimeoutMs: 10_000, initializeTimeoutMs: 10_000 };
const use = "experimental_unified_exec_use_exec_server = true\n";
const root = 'experimental_unified_exec_exec_server_workspace_root = "/srv"\n';
const url = 'experimental_unified_exec_exec_server_websocket_url = "ws://h:1"\n';
const spawn = "experimental_unified_exec_spawn_local_exec_server = true\n";
const box = 'environment = "box"\n[environments.box]\n';

test.each<[string, string, unknown]>([
  ["nothing set", "", { kind: "local" }],
  [
    "the enable key alone",
    use,
    {
      kind: "inProcess",
      name: "in-process",
      workspaceRoot: undefined,
      initializeTimeoutMs: 10_000,
    },
  ],
  [
    "spawn-local",
    use + spawn + root,
    { kind: "spawnLocal", name: "exec-server", workspaceRoot: "/srv", initializeTimeoutMs: 10_000 },
  ],
  [
    "a URL",
    use + url,
    {
      kind: "websocket",
      name: "remote",
      url: "ws://h:1",
      token: undefined,
      workspaceRoot: undefined,
      ...limits,
    },
  ],
  ["spawn-local without the enable key", spawn, { kind: "local" }],
  ['environment = "local"', 'environment = "local"', { kind: "local" }],
  ['environment = "none"', 'environment = "None"', { kind: "none" }],
  [
    "[environments] url",
    `${box}url = " wss://h/x "\nworkspace_root = "/srv"\nconnect_timeout_sec = 0.5\ninitialize_timeout_sec = 3`,
    {
      kind: "websocket",
      name: "box",
      url: "wss://h/x",
      token: undefined,
      workspaceRoot: "/srv",
      connectTimeoutMs: 500,
      initializeTimeoutMs: 3000,
    },
  ],
  [
    "[environments] command",
    `${box}command = ["ssh", "host", "codex-exec-server"]`,
    {
      kind: "command",
      name: "box",
      command: ["ssh", "host", "codex-exec-server"],
      workspaceRoot: undefined,
      initializeTimeoutMs: 10_000,
    },
  ],
  [
    "[environments] spawn_local",
    `${box}spawn_local = true`,
    { kind: "spawnLocal", name: "box", workspaceRoot: undefined, initializeTimeoutMs: 10_000 },
  ],
  [
    "[environments] in_process",
    `${box}in_process = true`,
    { kind: "inProcess", name: "box", workspaceRoot: undefined, initializeTimeoutMs: 10_000 },
  ],
])("unified-exec.md 12: %s", async (_, toml, expected) => {
  await using fixture = await userConfig(toml);
  const { config, warnings } = await fixture.load();
  expect(config.environment).toEqual(expected);
  expect(warnings).toEqual([]);
});

test.each<[string | undefined, unknown]>([
  [undefined, { kind: "local" }],
  ["  ", { kind: "local" }],
  [" None ", { kind: "none" }],
  [
    "ws://h:1",
    {
      kind: "websocket",
      name: "remote",
      url: "ws://h:1",
      token: "t",
      workspaceRoot: undefined,
      ...limits,
    },
  ],
])("environment-evolution.md 6.3: CODEX_EXEC_SERVER_URL = %j", async (value, expected) => {
  await using fixture = await configFixture();
  const variables = { CODEX_EXEC_SERVER_URL: value, CODEX_EXEC_SERVER_CONNECTION_TOKEN: " t " };
  expect((await fixture.load({ variables })).config.environment).toEqual(expected);
});

test("--environment beats the keys, the keys beat the variable", async () => {
  await using fixture = await userConfig(`${use}[environments.box]\nin_process = true`);
  const variables = { CODEX_EXEC_SERVER_URL: "ws://h:1" };
  const kind = async (environment?: string): Promise<string> => {
    const { config } = await fixture.load({ variables, flags: { environment } });
    return "name" in config.environment ? config.environment.name : config.environment.kind;
  };
  expect([await kind("box"), await kind("local"), await kind()]).toEqual([
    "box",
    "local",
    "in-process",
  ]);
});

test("the seed's root key serves the variable's environment too", async () => {
  await using fixture = await userConfig(root);
  const { config, warnings } = await fixture.load({
    variables: { CODEX_EXEC_SERVER_URL: "ws://h:1" },
  });
  expect(config.environment).toMatchObject({ kind: "websocket", workspaceRoot: "/srv" });
  expect(warnings).toEqual([]);
});

test("a URL or a root without the enable key is a warning and nothing more", async () => {
  await using fixture = await userConfig(url + root);
  const { config, warnings } = await fixture.load();
  expect(config.environment).toEqual({ kind: "local" });
  expect(warnings).toEqual([
    "`experimental_unified_exec_exec_server_websocket_url` has no effect without `experimental_unified_exec_use_exec_server = true`",
    "`experimental_unified_exec_exec_server_workspace_root` has no effect without `experimental_unified_exec_use_exec_server = true`",
  ]);
});

test("the token of a URL comes from the variable or the file it names", async () => {
  await using fixture = await configFixture({
    "home/config.toml": `
      [environments.by-variable]
      url = "ws://h:1"
      token_env = "BOX_TOKEN"
      [environments.by-file]
      url = "ws://h:1"
      token_file = "box.token"
    `,
    "home/box.token": "from-file\n",
  });
  const token = async (environment: string): Promise<unknown> => {
    const { config } = await fixture.load({
      variables: { BOX_TOKEN: "from-variable" },
      flags: { environment },
    });
    return config.environment.kind === "websocket" && config.environment.token;
  };
  expect([await token("by-variable"), await token("by-file")]).toEqual([
    "from-variable",
    "from-file",
  ]);
});

test("the seed's URL takes its token from CODEX_EXEC_SERVER_CONNECTION_TOKEN, a named one does not", async () => {
  await using fixture = await userConfig(
    `${use}${url}[environments.box]\nurl = "ws://elsewhere:1"`,
  );
  const variables = { CODEX_EXEC_SERVER_CONNECTION_TOKEN: "secret" };
  expect((await fixture.load({ variables })).config.environment).toMatchObject({ token: "secret" });
  const named = await fixture.load({ variables, flags: { environment: "box" } });
  expect(named.config.environment).toMatchObject({ token: undefined });
});
