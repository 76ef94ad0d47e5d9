import type { EnvironmentSelection } from "./config.ts";
import { ConfigError } from "./config-error.ts";
import type { EnvironmentToml } from "./config-tables.ts";
import type { EnvironmentSettings } from "./environment-selection.ts";
import { didYouMean, nearestWord } from "./known-keys.ts";

/** Checks the name and the shape of every `[environments.NAME]`, chosen or not. */
export function checkEnvironments(environments: Readonly<Record<string, EnvironmentToml>>): void {
  for (const [name, environment] of Object.entries(environments)) {
    const problem = nameProblem(name) ?? shapeProblem(name, environment);
    if (problem !== undefined) throw new ConfigError("environment", problem);
  }
}

/** `local`, `none`, or one of `[environments]`. */
export function selectNamed(name: string, settings: EnvironmentSettings): EnvironmentSelection {
  const kind = name.toLowerCase();
  if (kind === "local" || kind === "none") return { kind };
  if (name === "") throw new ConfigError("environment", "environment name cannot be empty");
  const environments = settings.toml.environments ?? {};
  const environment = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (environment === undefined) {
    const known = Object.keys(environments);
    const hint = didYouMean(nearestWord(name, ["local", "none", ...known]));
    throw new ConfigError("environment", `environment \`${name}\` is not configured${hint}`);
  }
  return select(name, environment, settings);
}

/** True for the addresses an exec-server can listen at. */
export function isRemoteUrl(url: string): boolean {
  return /^wss?:\/\/./i.test(url);
}

function nameProblem(name: string): string | undefined {
  if (name === "") return "environment id cannot be empty";
  const id = `environment id \`${name}\``;
  if (name.trim() !== name) return `${id} must not contain surrounding whitespace`;
  if (["local", "none"].includes(name.toLowerCase())) return `${id} is reserved`;
  if (name.length > 64) return `${id} cannot be longer than 64 characters`;
  if (!/^[A-Za-z0-9_-]+$/.test(name))
    return `${id} must contain only ASCII letters, numbers, '-' or '_'`;
  return undefined;
}

function shapeProblem(name: string, environment: EnvironmentToml): string | undefined {
  const id = `environment \`${name}\``;
  const { url, command } = environment;
  const sides = [
    url !== undefined,
    command !== undefined,
    environment.spawn_local === true,
    environment.in_process === true,
  ];
  if (sides.filter(Boolean).length !== 1)
    return `${id} must set exactly one of url, command, spawn_local or in_process`;
  if (command !== undefined && (command[0] ?? "").trim() === "")
    return `${id} command cannot be empty`;
  if (url !== undefined)
    return isRemoteUrl(url.trim())
      ? tokenProblem(id, environment)
      : `environment url \`${url}\` must use ws:// or wss:// (environment \`${name}\`)`;
  const urlOnly = (
    ["connect_timeout_sec", "resume_timeout_sec", "token_env", "token_file"] as const
  ).find((key) => environment[key] !== undefined);
  return urlOnly === undefined ? undefined : `${id} ${urlOnly} requires url`;
}

function tokenProblem(id: string, environment: EnvironmentToml): string | undefined {
  const isTwice = environment.token_env !== undefined && environment.token_file !== undefined;
  return isTwice ? `${id} must not set both token_env and token_file` : undefined;
}

function select(
  name: string,
  environment: EnvironmentToml,
  settings: EnvironmentSettings,
): EnvironmentSelection {
  const common = {
    name,
    workspaceRoot: environment.workspace_root?.trim() || undefined,
    initializeTimeoutMs: milliseconds(environment.initialize_timeout_sec),
  };
  if (environment.command !== undefined)
    return { kind: "command", command: environment.command, ...common };
  if (environment.url === undefined)
    return { kind: environment.spawn_local === true ? "spawnLocal" : "inProcess", ...common };
  const { resume_timeout_sec: resumeTimeout } = environment;
  return {
    kind: "websocket",
    url: environment.url.trim(),
    token: readToken(name, environment, settings),
    connectTimeoutMs: milliseconds(environment.connect_timeout_sec),
    ...(resumeTimeout !== undefined && { resumeTimeoutMs: Math.round(resumeTimeout * 1000) }),
    ...common,
  };
}

function milliseconds(seconds: number | undefined): number {
  return Math.round((seconds ?? 10) * 1000);
}

function readToken(
  name: string,
  { token_env: variable, token_file: file }: EnvironmentToml,
  { variables, readTextFile }: EnvironmentSettings,
): string | undefined {
  if (variable !== undefined) {
    const token = variables[variable]?.trim();
    if (token) return token;
    throw new ConfigError(
      "environment",
      `environment \`${name}\`: the variable \`${variable}\` of token_env is not set`,
    );
  }
  if (file === undefined) return undefined;
  let token: string;
  try {
    token = readTextFile(file).trim();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(
      "environment",
      `environment \`${name}\`: cannot read token_file: ${why}`,
      {
        cause,
      },
    );
  }
  if (token !== "") return token;
  throw new ConfigError("environment", `environment \`${name}\`: token_file ${file} is empty`);
}
