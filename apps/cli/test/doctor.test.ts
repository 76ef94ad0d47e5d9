import { existsSync } from "node:fs";
import { temporaryDirectory } from "@codex/test-support";
import { expect, test } from "vitest";
import { execWith } from "./exec-with.ts";
import { commandFor } from "./executor.ts";

const hasBubblewrap = (process.env["PATH"] ?? "")
  .split(":")
  .some((folder) => existsSync(`${folder}/bwrap`));

test("codex doctor: every line is ok where nothing is missing", async () => {
  await using there = await temporaryDirectory();
  const far = `environments.far = { command = ${JSON.stringify(commandFor())}, workspace_root = "${there.path}" }`;
  await execWith({ config: far, args: ["--version"] }, async ({ again, home, requests }) => {
    const { code, stdout, stderr } = await again(["doctor"]);
    const lines = stdout.trimEnd().split("\n");
    const judged = hasBubblewrap ? lines : lines.filter((line) => !line.includes("  sandbox: "));
    expect(judged.filter((line) => !line.startsWith("ok    "))).toEqual([]);
    expect({ code, stderr }).toEqual({ code: hasBubblewrap ? 0 : 1, stderr: "" });
    expect(lines.map((line) => line.slice(8, line.indexOf(": ")))).toEqual([
      "versions",
      "terminal",
      "sandbox",
      "settings",
      "model provider",
      "environment far",
    ]);
    expect(stdout).toContain(`settings: user ${home}/config.toml`);
    expect(stdout).toMatch(/^ok {4} {2}versions: codex-runtime \S+, Node \d+\./m);
    expect(stdout).toMatch(
      new RegExp(`^ok {6}environment far: linux, works in ${there.path} with /`, "m"),
    );
    // Nothing was asked of the model.
    expect(requests.filter(({ body }) => body !== undefined)).toEqual([]);
  });
});

test("codex doctor: a key, a provider and an environment that are missing are said with the fix, exit 1", async () => {
  const config = [
    'environments.gone = { url = "ws://127.0.0.1:1", connect_timeout_sec = 1 }',
    'model_providers.away = { name = "away", base_url = "http://127.0.0.1:1/v1" }',
  ].join("\n");
  await execWith({ config, args: ["--version"], env: { SCRIPTED_KEY: "" } }, async ({ again }) => {
    const { code, stdout } = await again(["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^failed {2}model provider: Missing environment variable: `SCRIPTED_KEY`/m,
    );
    expect(stdout).toMatch(/^failed {2}environment gone: .*ws:\/\/127\.0\.0\.1:1.*ECONNREFUSED/m);
    const away = await again(["doctor", "-c", "model_provider=away"]);
    expect(away.stdout).toMatch(
      /^failed {2}model provider: away at http:\/\/127\.0\.0\.1:1\/v1 cannot be reached: .*base_url/m,
    );
  });
});

test("codex doctor: settings that cannot be read are one failed line, and the rest is still checked", async () => {
  await execWith({ args: ["--version"] }, async ({ again }) => {
    const { code, stdout } = await again(["doctor", "-c", "sandbox_mode=9"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^failed {2}settings: .*expected a string/m);
    expect(stdout).toMatch(/^failed {2}model provider: not asked: /m);
    expect(stdout).toMatch(/^ok {6}versions: /m);
  });
});
