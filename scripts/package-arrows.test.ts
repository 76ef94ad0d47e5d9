import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Who may depend on whom; nothing points up or sideways. The layers are drawn in ARCHITECTURE.md. */
const allowed: Record<string, readonly string[]> = {
  "packages/protocol": ["zod"],
  "packages/sandbox": ["@codex/protocol"],
  "packages/jsonrpc": ["@codex/protocol", "ws"],
  "packages/pty": ["@codex/protocol", "@codex/sandbox", "node-pty"],
  "packages/environment": ["@codex/protocol", "@codex/pty"],
  "packages/exec-server": ["@codex/environment", "@codex/jsonrpc", "@codex/protocol", "@codex/pty"],
  "packages/core": [
    "@codex/environment",
    "@codex/exec-server",
    "@codex/protocol",
    "eventsource-parser",
    "file-type",
    "smol-toml",
    "zod",
  ],
  "packages/test-support": ["@codex/protocol"],
};

test.each(Object.entries(allowed))("%s depends only on what its layer may use", (folder, names) => {
  const manifest = JSON.parse(
    readFileSync(new URL(`../${folder}/package.json`, import.meta.url), "utf8"),
  );
  expect(Object.keys(manifest.dependencies ?? {}).filter((name) => !names.includes(name))).toEqual(
    [],
  );
});
