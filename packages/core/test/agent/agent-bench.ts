import { createMemoryEnvironment, type MemoryEnvironmentOptions } from "@codex/environment/testing";
import type { ThreadEvent } from "@codex/protocol";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  type AgentOptions,
  type Config,
  createAgent,
  loadConfig,
  type ModelClient,
} from "../../src/index.ts";

export interface BenchOptions extends Partial<
  Omit<AgentOptions, "config" | "model" | "environment">
> {
  readonly model: ModelClient;
  readonly files?: MemoryEnvironmentOptions["files"];
  readonly programs?: MemoryEnvironmentOptions["programs"];
  /** `-c` values over a configuration with full access and no delays between retries. */
  readonly overrides?: readonly string[];
}

/** An agent in memory: no network, no processes; only its rollout is on disk, in a folder of its own. */
export async function agentBench({
  model,
  files,
  programs,
  overrides = [],
  ...rest
}: BenchOptions) {
  const home = mkdtempSync(join(tmpdir(), "agent-"));
  const environment = createMemoryEnvironment({
    ...(files && { files }),
    ...(programs && { programs }),
  });
  const config = await benchConfig(home, overrides);
  const agent = createAgent({
    config,
    environment,
    model,
    random: () => 0.5,
    today: () => ({ currentDate: "2026-01-02", timezone: "Etc/UTC" }),
    ...rest,
  });
  onTestFinished(async () => {
    await environment[Symbol.asyncDispose]();
    rmSync(home, { recursive: true, force: true });
  });
  return { agent, environment, config, home };
}

async function benchConfig(home: string, overrides: readonly string[]): Promise<Config> {
  const provider =
    'model_providers.m={name="m",base_url="http://127.0.0.1:9/v1",retry_base_delay_ms=1}';
  const { config } = await loadConfig({
    variables: { CODEX_HOME: home },
    homeDirectory: home,
    cwd: "/work",
    systemConfigPath: join(home, "none.toml"),
    flags: {
      overrides: [
        provider,
        'model_provider="m"',
        'sandbox_mode="danger-full-access"',
        ...overrides,
      ],
    },
  });
  return config;
}

export async function gathered(events: AsyncIterable<ThreadEvent>): Promise<ThreadEvent[]> {
  const all: ThreadEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
