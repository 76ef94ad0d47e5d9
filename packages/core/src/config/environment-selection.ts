import type { EnvironmentSelection } from "./config.ts";
import type { ConfigToml } from "./config-toml.ts";
import { ConfigError } from "./config-error.ts";
import { checkEnvironments, isRemoteUrl, selectNamed } from "./named-environments.ts";

export interface EnvironmentSettings {
  readonly toml: ConfigToml;
  /** `environment` comes from the flag: nothing in a file contradicts it. */
  readonly isFlag: boolean;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly readTextFile: (path: string) => string;
}

export interface SelectedEnvironment {
  readonly selection: EnvironmentSelection;
  readonly warnings: readonly string[];
}

/**
 * Where the run works: `--environment`, then the keys (ours, or the seed's), then `CODEX_EXEC_SERVER_URL`, then this
 * machine. Throws a {@link ConfigError} of kind `environment` when the settings contradict each other or make no sense.
 */
export function selectEnvironment(settings: EnvironmentSettings): SelectedEnvironment {
  const { toml, isFlag } = settings;
  checkEnvironments(toml.environments ?? {});
  const name = toml.environment?.trim();
  const usesExecServer = toml[useKey] === true;
  if (name !== undefined && usesExecServer && !isFlag)
    throw new ConfigError(
      "environment",
      `\`environment = ${JSON.stringify(name)}\` and \`${useKey} = true\` contradict each other: both choose where commands run; keep one of them`,
    );
  if (name !== undefined) return { selection: selectNamed(name, settings), warnings: [] };
  if (usesExecServer) return { selection: fromExecServerKeys(settings), warnings: [] };
  return { selection: fromVariable(settings), warnings: idleKeys(settings) };
}

const useKey = "experimental_unified_exec_use_exec_server";
const spawnKey = "experimental_unified_exec_spawn_local_exec_server";
const urlKey = "experimental_unified_exec_exec_server_websocket_url";
const rootKey = "experimental_unified_exec_exec_server_workspace_root";
/** Both time limits of the protocol's client. */
const defaultTimeoutMs = 10_000;

/** The seed's spelling for one environment: the URL wins over a server of its own, neither is in-process. */
function fromExecServerKeys(settings: EnvironmentSettings): EnvironmentSelection {
  const { toml } = settings;
  const workspaceRoot = textOrUnset(toml[rootKey]);
  const url = textOrUnset(toml[urlKey]);
  if (url !== undefined) return remote(url, workspaceRoot, settings);
  const isSpawned = toml[spawnKey] === true;
  return {
    kind: isSpawned ? "spawnLocal" : "inProcess",
    name: isSpawned ? "exec-server" : "in-process",
    workspaceRoot,
    initializeTimeoutMs: defaultTimeoutMs,
  };
}

function fromVariable(settings: EnvironmentSettings): EnvironmentSelection {
  const url = textOrUnset(settings.variables["CODEX_EXEC_SERVER_URL"]);
  if (url === undefined) return { kind: "local" };
  if (url.toLowerCase() === "none") return { kind: "none" };
  if (!isRemoteUrl(url))
    throw new ConfigError(
      "environment",
      `environment url \`${url}\` must use ws:// or wss:// (CODEX_EXEC_SERVER_URL)`,
    );
  return remote(url, textOrUnset(settings.toml[rootKey]), settings);
}

function remote(
  url: string,
  workspaceRoot: string | undefined,
  settings: EnvironmentSettings,
): EnvironmentSelection {
  return {
    kind: "websocket",
    name: "remote",
    url,
    token: textOrUnset(settings.variables["CODEX_EXEC_SERVER_CONNECTION_TOKEN"]),
    workspaceRoot,
    connectTimeoutMs: defaultTimeoutMs,
    initializeTimeoutMs: defaultTimeoutMs,
  };
}

/** Settings of an exec-server that nobody switched on. */
function idleKeys({ toml, variables }: EnvironmentSettings): string[] {
  const hasVariable = textOrUnset(variables["CODEX_EXEC_SERVER_URL"]) !== undefined;
  const idle = [
    ...(textOrUnset(toml[urlKey]) === undefined ? [] : [urlKey]),
    ...(textOrUnset(toml[rootKey]) === undefined || hasVariable ? [] : [rootKey]),
  ];
  return idle.map((key) => `\`${key}\` has no effect without \`${useKey} = true\``);
}

function textOrUnset(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === "" ? undefined : trimmed;
}
