import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ConfigErrorKind } from "@codex/core";
import { configFixture, type FixtureOptions } from "./config-fixture.ts";

interface ErrorCase extends FixtureOptions {
  readonly kind: ConfigErrorKind;
  /** Content of the user's config.toml; `%s` is the fixture's directory. */
  readonly toml?: string;
  readonly files?: Readonly<Record<string, string>>;
}

const box = "[environments.box]\n";
const strict = { strictConfig: true };

// The text of every case stands in golden/NAME.txt, as a person reads it.
const cases: Readonly<Record<string, ErrorCase>> = {
  "home-missing": { kind: "codexHome", variables: { CODEX_HOME: "/nonexistent/home" } },
  "home-is-a-file": { kind: "codexHome", variables: { CODEX_HOME: "/dev/null" } },
  "user-file-unreadable": { kind: "read", files: { "home/config.toml/": "" } },
  "syntax-user": { kind: "syntax", toml: 'model = "a"\nmodel_provider = openai\n' },
  "syntax-unterminated": { kind: "syntax", toml: '\n\nmodel = "a\n' },
  "syntax-duplicate": { kind: "syntax", toml: 'model = "a"\nmodel = "b"\n' },
  "syntax-system": { kind: "syntax", files: { "etc/config.toml": "[features\n" } },
  "syntax-project": {
    kind: "syntax",
    toml: '[projects."%s/project"]\ntrust_level = "trusted"',
    files: { "project/.codex/config.toml": "# ours\nmodel =\n" },
  },
  "type-boolean": { kind: "type", toml: '\n[tools]\n  view_image = "yes"  # please\n' },
  "type-integer": { kind: "type", toml: "project_doc_max_bytes = 1.5" },
  "type-negative": { kind: "type", toml: "project_doc_max_bytes = -1" },
  "type-zero-seconds": { kind: "type", toml: `${box}url = "ws://h"\nconnect_timeout_sec = 0` },
  "type-enum": { kind: "type", toml: 'sandbox_mode = "workspace"' },
  "type-enum-two": { kind: "type", toml: '[projects."/a"]\ntrust_level = "yes"' },
  "type-element": { kind: "type", toml: 'experimental_supported_tools = ["read_file",\n  7]' },
  "type-inline-table": {
    kind: "type",
    toml: 'features = { view_image = true, shell_tool = "on" }',
  },
  "type-multi-line-value": { kind: "type", toml: "model = [\n  1,\n  2,\n]" },
  "type-table-expected": { kind: "type", toml: "profiles = 3" },
  "type-in-profile": { kind: "type", toml: "[profiles.p]\nmodel = 1", flags: { profile: "p" } },
  "type-override": { kind: "type", flags: { overrides: ["hide_agent_reasoning=maybe"] } },
  "type-approval-policy": { kind: "type", toml: 'approval_policy = "sometimes"' },
  "type-lowest-layer-first": {
    kind: "type",
    toml: "model = true",
    files: { "etc/config.toml": "allow_login_shell = 1" },
  },
  "provider-without-name": { kind: "type", toml: '[model_providers.mine]\nbase_url = "http://h"' },
  "provider-chat": { kind: "type", toml: '[model_providers.mine]\nname = "m"\nwire_api = "chat"' },
  "provider-wire-api": {
    kind: "type",
    toml: '[model_providers.mine]\nname = "m"\nwire_api = "grpc"',
  },
  "provider-reserved": { kind: "provider", toml: '[model_providers.openai]\nname = "m"' },
  "provider-unknown": { kind: "provider", flags: { overrides: ["model_provider=nope"] } },
  "provider-ollama-chat": { kind: "provider", toml: 'model_provider = "ollama-chat"' },
  "oss-provider-unknown": { kind: "provider", flags: { localProvider: "vllm" } },
  "strict-user": { kind: "unknownKey", toml: 'model = "a"\nmodle = "b"', flags: strict },
  "strict-override": { kind: "unknownKey", flags: { ...strict, overrides: ["modle=b"] } },
  "strict-nested": {
    kind: "unknownKey",
    toml: "[tools.update_plan]\nenable = true",
    flags: strict,
  },
  "override-without-equals": { kind: "override", flags: { overrides: ["foo"] } },
  "override-empty-key": { kind: "override", flags: { overrides: ["=1"] } },
  "root-markers": { kind: "projectRootMarkers", toml: 'project_root_markers = ".git"' },
  "profile-missing": { kind: "profile", flags: { profile: "nope" } },
  "profile-twice": {
    kind: "profile",
    toml: '[profiles.p]\nmodel = "a"',
    files: { "home/p.config.toml": 'model = "b"' },
    flags: { profile: "p" },
  },
  "feature-unknown": { kind: "feature", flags: { enable: ["view_images"] } },
  "instructions-missing": { kind: "instructions", toml: 'model_instructions_file = "base.md"' },
  "instructions-empty": {
    kind: "instructions",
    toml: 'model_instructions_file = "base.md"',
    files: { "home/base.md": "\n" },
  },
  "environment-contradiction": {
    kind: "environment",
    toml: `environment = "box"\nexperimental_unified_exec_use_exec_server = true\n${box}in_process = true`,
  },
  "environment-unknown": {
    kind: "environment",
    toml: `environment = "bax"\n${box}in_process = true`,
  },
  "environment-empty-name": { kind: "environment", toml: 'environment = " "' },
  "environment-id-empty": { kind: "environment", toml: '[environments.""]\nin_process = true' },
  "environment-id-blanks": { kind: "environment", toml: '[environments." a"]\nin_process = true' },
  "environment-id-reserved": {
    kind: "environment",
    toml: "[environments.Local]\nin_process = true",
  },
  "environment-id-long": {
    kind: "environment",
    toml: `[environments.${"a".repeat(65)}]\nin_process = true`,
  },
  "environment-id-letters": {
    kind: "environment",
    toml: '[environments."a.b"]\nin_process = true',
  },
  "environment-no-side": { kind: "environment", toml: `${box}workspace_root = "/w"` },
  "environment-two-sides": { kind: "environment", toml: `${box}url = "ws://h"\nin_process = true` },
  "environment-http-url": { kind: "environment", toml: `${box}url = "http://h"` },
  "environment-empty-command": { kind: "environment", toml: `${box}command = []` },
  "environment-timeout-without-url": {
    kind: "environment",
    toml: `${box}command = ["a"]\nconnect_timeout_sec = 1`,
  },
  "environment-token-without-url": {
    kind: "environment",
    toml: `${box}in_process = true\ntoken_env = "T"`,
  },
  "environment-two-tokens": {
    kind: "environment",
    toml: `${box}url = "ws://h"\ntoken_env = "T"\ntoken_file = "t"`,
  },
  "environment-token-unset": {
    kind: "environment",
    toml: `environment = "box"\n${box}url = "ws://h"\ntoken_env = "T"`,
  },
  "environment-token-file-missing": {
    kind: "environment",
    toml: `environment = "box"\n${box}url = "ws://h"\ntoken_file = "t"`,
  },
  "environment-token-file-empty": {
    kind: "environment",
    toml: `environment = "box"\n${box}url = "ws://h"\ntoken_file = "t"`,
    files: { "home/t": "\n" },
  },
  "environment-variable-url": {
    kind: "environment",
    variables: { CODEX_EXEC_SERVER_URL: "localhost:1" },
  },
};

test.each(Object.entries(cases))(
  "config.md 13: the message of %s",
  async (name, { kind, toml, files, ...options }) => {
    await using fixture = await configFixture({ "project/.git/": "", ...files });
    if (toml !== undefined)
      writeFileSync(
        fixture.path("home/config.toml"),
        toml.replaceAll("%s", fixture.directory.path),
      );
    const error = await fixture.loadError(options);

    expect(error.kind).toBe(kind);
    await expect(`${error.message}\n`).toMatchFileSnapshot(`golden/${name}.txt`);
  },
);

test("config.md 13: an error with a place carries it as fields", async () => {
  await using fixture = await configFixture({
    "home/config.toml": "a = 1\r\n\r\nmodel = 12345\r\n",
  });
  const { error } = await fixture.loadError();
  expect(error.location).toEqual({
    file: fixture.path("home/config.toml"),
    line: 3,
    column: 9,
    endColumn: 14,
  });
});
