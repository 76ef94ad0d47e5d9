import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import {
  type CliResult,
  type ModelServer,
  runCli,
  type RunCliOptions,
  type Scenario,
  startModelServer,
  temporaryDirectory,
} from "@codex/test-support";
import { expect } from "vitest";

export interface ExecSetup {
  /** What the model does; default: one message. */
  readonly scenario?: Scenario;
  /** Lines of config.toml before the provider table. */
  readonly config?: string;
  /** Lines of the provider table. */
  readonly provider?: string;
  /** First wait before a retry; default 1, `undefined` is the provider's own default. */
  readonly retryBaseDelayMs?: number | undefined;
  /** After `exec`; default: a prompt. */
  readonly args?: readonly string[];
  /** Before `exec`. */
  readonly globalArgs?: readonly string[];
  /** Default: quick and unsandboxed. */
  readonly sandbox?: string | undefined;
  readonly files?: Readonly<Record<string, string>>;
  readonly isRepository?: boolean;
  /** Where the work happens, in a folder that is not the one the CLI is started in; left out: here. */
  readonly executor?: { readonly url: string } | undefined;
  /** What a run with an executor leaves in the folder it was started in: nothing, but for files it was told to write. */
  readonly leavesHere?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: Omit<RunCliOptions, "args" | "cwd" | "env">;
  /** Once everything is set up, before the CLI starts. */
  readonly prepare?: (place: ExecPlace) => Promise<void>;
}

export interface ExecPlace {
  readonly home: string;
  /** Where the work happens; `files` are there. */
  readonly workspace: string;
  /** Where the CLI is started: the workspace itself, unless that is an executor's. */
  readonly cwd: string;
  readonly server: ModelServer;
}

export interface ExecResult extends CliResult {
  /** Runs the CLI once more in the same place. */
  readonly again: (args: readonly string[]) => Promise<CliResult>;
  readonly requests: ModelServer["requests"];
  readonly workspace: string;
  readonly cwd: string;
  readonly home: string;
}

/**
 * `codex exec` as a process, with a home, a workspace and a model of its own. Retries wait a millisecond. `inspect`
 * looks at what is left before the folders go.
 */
export async function execWith(
  setup: ExecSetup = {},
  inspect?: (result: ExecResult) => Promise<void> | void,
): Promise<ExecResult> {
  const { scenario = [[{ message: "Hello." }]], files = {}, isRepository = true } = setup;
  await using folder = await temporaryDirectory();
  const [home, workspace] = [join(folder.path, "home"), join(folder.path, "workspace")];
  const cwd = setup.executor === undefined ? workspace : join(folder.path, "here");
  const place = { home, workspace, cwd };
  for (const path of new Set([home, workspace, cwd])) await mkdir(path);
  await using server = await startModelServer(scenario, {
    workspace: place.workspace,
    ws: place.workspace,
  });
  if (isRepository) await folder.write("workspace/.git/HEAD", "ref: refs/heads/main\n");
  for (const [name, text] of Object.entries(files)) await folder.write(`workspace/${name}`, text);
  await folder.write("home/config.toml", configToml(setup, place, server));
  await setup.prepare?.({ ...place, server });
  const env = { HOME: folder.path, CODEX_HOME: place.home, SCRIPTED_KEY: "key", ...setup.env };
  const base = { cwd, env, ...setup.run };
  const args = [...(setup.globalArgs ?? []), "exec", ...(setup.args ?? ["go"])];
  const run = await runCli({ ...base, args });
  const again = (more: readonly string[]): Promise<CliResult> => runCli({ ...base, args: more });
  const result = { ...run, requests: server.requests, ...place, again };
  await inspect?.(result);
  if (setup.executor !== undefined) expect(await readdir(cwd)).toEqual(setup.leavesHere ?? []);
  return result;
}

function configToml(setup: ExecSetup, place: Pick<ExecPlace, "workspace">, server: ModelServer) {
  const retry = "retryBaseDelayMs" in setup ? setup.retryBaseDelayMs : 1;
  const sandbox = "sandbox" in setup ? setup.sandbox : "danger-full-access";
  const { executor } = setup;
  return `model_provider = "scripted"
${executor === undefined ? "" : `environment = "far"\n`}${sandbox === undefined ? "" : `sandbox_mode = "${sandbox}"`}
${setup.config ?? ""}
[model_providers.scripted]
name = "scripted"
base_url = "${server.baseUrl}"
env_key = "SCRIPTED_KEY"
${retry === undefined ? "" : `retry_base_delay_ms = ${retry}`}
${setup.provider ?? ""}
${executor === undefined ? "" : `[environments.far]\nurl = "${executor.url}"\nworkspace_root = "${place.workspace}"`}
`;
}
