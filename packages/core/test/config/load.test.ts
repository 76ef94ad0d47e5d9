import { expect, test } from "vitest";
import { configFixture, userConfig } from "./config-fixture.ts";

test("config.md 17: without any file every setting has its default", async () => {
  await using fixture = await configFixture();
  const { config } = await fixture.load();

  expect(config).toEqual({
    codexHome: fixture.path("home"),
    cwd: fixture.path("project"),
    model: "gpt-5.5",
    modelProvider: {
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
    },
    modelContextWindow: undefined,
    modelAutoCompactTokenLimit: undefined,
    modelReasoningEffort: undefined,
    modelReasoningSummary: undefined,
    modelVerbosity: undefined,
    baseInstructions: undefined,
    developerInstructions: undefined,
    userInstructions: undefined,
    sandbox: { mode: "read-only", networkAccess: false },
    allowLoginShell: true,
    shellEnvironmentPolicy: {
      inherit: "all",
      ignoreDefaultExcludes: false,
      exclude: [],
      set: {},
      includeOnly: [],
    },
    projectDocMaxBytes: 32_768,
    projectDocFallbackFilenames: [],
    projectRootMarkers: [".git"],
    toolOutputTokenLimit: undefined,
    backgroundTerminalMaxTimeoutMs: 300_000,
    webSearch: "cached",
    experimentalSupportedTools: [],
    tools: { updatePlan: false, viewImage: true, requestUserInput: true },
    features: {
      shell_tool: true,
      view_image: true,
      web_search_cached: false,
      web_search_request: false,
    },
    hideAgentReasoning: false,
    environment: { kind: "local" },
    warnings: [],
  });
});

test("config.md 17: a file with a profile resolves to one whole record", async () => {
  await using fixture = await configFixture({
    "home/AGENTS.md": "\n  Be brief.\n\n",
    "home/prompts/base.md": "  You are careful.\n",
    "home/config.toml": `
      model = "everyday"
      profile = "work"
      model_context_window = 1000
      model_auto_compact_token_limit = 900
      developer_instructions = "Think first."
      model_instructions_file = "prompts/base.md"
      hide_agent_reasoning = true
      allow_login_shell = false
      project_doc_max_bytes = 10
      project_doc_fallback_filenames = [" NOTES.md ", "  ", "docs/AGENT.md"]
      tool_output_token_limit = 77
      background_terminal_max_timeout = 10
      web_search = "disabled"
      sandbox_mode = "workspace-write"

      [sandbox_workspace_write]
      writable_roots = ["scratch", "~/cache", "/data"]
      network_access = true
      exclude_slash_tmp = true

      [shell_environment_policy]
      inherit = "core"
      ignore_default_excludes = true
      exclude = ["AWS_*"]
      set = { CI = "1" }
      include_only = ["PATH", "CI"]

      [tools]
      update_plan.enabled = true
      experimental_request_user_input.enabled = false

      [model_providers.mock]
      name = "Mock"
      base_url = "http://127.0.0.1:1/v1"
      env_key = "MOCK_API_KEY"
      env_key_instructions = "Ask Mo."
      wire_api = "responses"
      query_params = { api-version = "2" }
      http_headers = { X-A = "a" }
      env_http_headers = { X-B = "B" }
      request_max_retries = 1
      stream_max_retries = 1000
      stream_idle_timeout_ms = 5
      retry_base_delay_ms = 1

      [profiles.work]
      model = "o-work"
      model_provider = "mock"
      model_reasoning_effort = "high"
      model_reasoning_summary = "detailed"
      model_verbosity = "low"
      experimental_supported_tools = ["read_file", "list_dir"]
      features = { view_image = false, shell_tool = true }
    `,
  });
  const { config, warnings } = await fixture.load({ from: "project" });

  expect(warnings).toEqual([]);
  expect(config).toEqual({
    codexHome: fixture.path("home"),
    cwd: fixture.path("project"),
    model: "o-work",
    modelProvider: {
      id: "mock",
      name: "Mock",
      baseUrl: "http://127.0.0.1:1/v1",
      envKey: "MOCK_API_KEY",
      envKeyInstructions: "Ask Mo.",
      bearerToken: undefined,
      queryParams: { "api-version": "2" },
      httpHeaders: { "X-A": "a" },
      envHttpHeaders: { "X-B": "B" },
      requestForm: "instructions",
      requiresOpenaiAuth: false,
      requestMaxRetries: 1,
      streamMaxRetries: 100,
      streamIdleTimeoutMs: 5,
      retryBaseDelayMs: 1,
    },
    modelContextWindow: 1000,
    modelAutoCompactTokenLimit: 900,
    modelReasoningEffort: "high",
    modelReasoningSummary: "detailed",
    modelVerbosity: "low",
    baseInstructions: "You are careful.",
    developerInstructions: "Think first.",
    userInstructions: "Be brief.",
    sandbox: {
      mode: "workspace-write",
      writableRoots: [
        fixture.path("project"),
        fixture.path("home/scratch"),
        fixture.path("user/cache"),
        "/data",
      ],
      includeSlashTmp: false,
      includeTmpdir: true,
      networkAccess: true,
    },
    allowLoginShell: false,
    shellEnvironmentPolicy: {
      inherit: "core",
      ignoreDefaultExcludes: true,
      exclude: ["AWS_*"],
      set: { CI: "1" },
      includeOnly: ["PATH", "CI"],
    },
    projectDocMaxBytes: 10,
    projectDocFallbackFilenames: ["NOTES.md", "docs/AGENT.md"],
    projectRootMarkers: [".git"],
    toolOutputTokenLimit: 77,
    backgroundTerminalMaxTimeoutMs: 5000,
    webSearch: "disabled",
    experimentalSupportedTools: ["read_file", "list_dir"],
    tools: { updatePlan: true, viewImage: false, requestUserInput: false },
    features: {
      shell_tool: true,
      view_image: false,
      web_search_cached: false,
      web_search_request: false,
    },
    hideAgentReasoning: true,
    environment: { kind: "local" },
    warnings: [],
  });
});

test("the resolved record is frozen in depth", async () => {
  await using fixture = await userConfig("sandbox_mode = 'workspace-write'");
  const { config } = await fixture.load();
  const writable = config as unknown as { model: string; sandbox: { writableRoots: string[] } };

  expect(() => (writable.model = "other")).toThrow(TypeError);
  expect(() => writable.sandbox.writableRoots.push("/")).toThrow(TypeError);
  // The defaults are shared by every run and stay what they are.
  expect((await fixture.load()).config).toEqual(config);
});

test("config.md 17: the seed's four exec-server keys load together, and the URL wins", async () => {
  await using fixture = await userConfig(`
    experimental_unified_exec_use_exec_server = true
    experimental_unified_exec_spawn_local_exec_server = true
    experimental_unified_exec_exec_server_websocket_url = "ws://127.0.0.1:8765"
    experimental_unified_exec_exec_server_workspace_root = "/srv/tree"
  `);
  const { config, warnings } = await fixture.load();

  expect(config.environment).toEqual({
    kind: "websocket",
    name: "remote",
    url: "ws://127.0.0.1:8765",
    token: undefined,
    workspaceRoot: "/srv/tree",
    connectTimeoutMs: 10_000,
    initializeTimeoutMs: 10_000,
  });
  expect(warnings).toEqual([]);
});

test("config.md 17: the tool list loads in order", async () => {
  await using fixture = await userConfig(
    'experimental_supported_tools = ["read_file", "list_dir"]',
  );
  const { config } = await fixture.load();
  expect(config.experimentalSupportedTools).toEqual(["read_file", "list_dir"]);
});

test("config.md 17: the old unified-exec switch and zsh_path load without a word", async () => {
  await using fixture = await configFixture();
  const { config, warnings } = await fixture.load({
    flags: { overrides: ["experimental_use_unified_exec_tool=true", 'zsh_path="/usr/bin/zsh"'] },
  });
  expect(warnings).toEqual([]);
  expect(config.environment).toEqual({ kind: "local" });
  expect(config.experimentalSupportedTools).toEqual([]);
});

test.each([
  ["-c use_legacy_landlock=true", { overrides: ["use_legacy_landlock=true"] }, {}],
  ["an old name", { overrides: ["features.web_search=true"] }, { web_search_request: true }],
  ["--disable", { disable: ["view_image"] }, { view_image: false }],
  ["--enable over -c", { enable: ["view_image"], overrides: ["features.view_image=false"] }, {}],
])("config.md 12: features by %s", async (_, flags, expected) => {
  await using fixture = await configFixture();
  const plain = await fixture.load();
  const { config } = await fixture.load({ flags });
  expect(config.features).toEqual({ ...plain.config.features, ...expected });
});

test("config.md 8: a relative workspace root starts at the layer's own directory", async () => {
  const enable = "experimental_unified_exec_use_exec_server = true\n";
  const root = 'experimental_unified_exec_exec_server_workspace_root = "tree"\n';
  await using fixture = await userConfig(enable + root);
  const fromFile = await fixture.load();
  expect(fromFile.config.environment).toMatchObject({ workspaceRoot: fixture.path("home/tree") });

  const fromOverride = await fixture.load({
    flags: { overrides: ["experimental_unified_exec_exec_server_workspace_root=tree"] },
  });
  expect(fromOverride.config.environment).toMatchObject({
    workspaceRoot: fixture.path("project/tree"),
  });
});

test("--cd is relative to the process's directory and need not exist here", async () => {
  await using fixture = await configFixture();
  expect((await fixture.load({ flags: { cd: "sub/../far" } })).config.cwd).toBe(
    fixture.path("project/far"),
  );
  expect((await fixture.load({ flags: { cd: "/srv/tree" } })).config.cwd).toBe("/srv/tree");
});

test("project-doc.md 2: the user's own instructions are the first usable of the two files", async () => {
  await using fixture = await configFixture({ "home/AGENTS.md": "plain" });
  await fixture.directory.write("home/AGENTS.override.md", "  \n");
  expect((await fixture.load()).config.userInstructions).toBe("plain");
  await fixture.directory.write("home/AGENTS.override.md", new Uint8Array([0x61, 0xff]));
  expect((await fixture.load()).config.userInstructions).toBe("plain");
  await fixture.directory.write("home/AGENTS.override.md", "\n override \n");
  expect((await fixture.load()).config.userInstructions).toBe("override");
});

test("config.md 1: without CODEX_HOME the home is ~/.codex, and it need not exist", async () => {
  await using fixture = await configFixture({ "user/.codex/config.toml": 'model = "mine"' });
  const { config } = await fixture.load({ variables: { CODEX_HOME: "" } });
  expect([config.codexHome, config.model]).toEqual([fixture.path("user/.codex"), "mine"]);

  const homeless = await fixture.load({
    variables: { CODEX_HOME: "" },
    homeDirectory: fixture.path("nobody"),
  });
  expect(homeless.config.codexHome).toBe(fixture.path("nobody/.codex"));
});

test.each([
  [[], "cached"],
  [["features.web_search_request=true"], "live"],
  [["features.web_search_request=true", "web_search=disabled"], "disabled"],
  [["features.web_search_cached=true"], "cached"],
])(
  "config.md 12: the old search switches count where web_search is not set (%j)",
  async (overrides, expected) => {
    await using fixture = await configFixture();
    expect((await fixture.load({ flags: { overrides } })).config.webSearch).toBe(expected);
  },
);
