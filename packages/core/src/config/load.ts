import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findCodexHome, readUserInstructions } from "./codex-home.ts";
import type { Config } from "./config.ts";
import { ConfigError } from "./config-error.ts";
import { defaultTable } from "./defaults.ts";
import { selectEnvironment } from "./environment-selection.ts";
import { type ConfigFlags, flagTable } from "./flags.ts";
import { type ConfigLayer, mergeLayers, type MergedLayers, type Origins } from "./layers.ts";
import { noticeOfOriginalKeys } from "./original-notice.ts";
import { parseOverrides } from "./overrides.ts";
import { readProfile } from "./profile.ts";
import { type ProjectLayers, readProjectLayers } from "./project-layers.ts";
import { resolveConfig } from "./resolve-config.ts";
import { resolveModel } from "./resolve-model.ts";
import { resolvePaths } from "./resolve-paths.ts";
import { readTomlFile, reason } from "./toml-file.ts";
import { type TomlTable, valueAt } from "./toml-table.ts";
import { validateLayers } from "./validate.ts";

export interface LoadConfigOptions {
  /** The process's variables; read once, here. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The process's directory, absolute. */
  readonly cwd: string;
  /** The user's home directory, absolute. */
  readonly homeDirectory: string;
  /** In place of `CODEX_HOME` and `~/.codex`; taken as it is. */
  readonly codexHome?: string | undefined;
  readonly flags?: ConfigFlags | undefined;
  /** Default `/etc/codex/config.toml`. */
  readonly systemConfigPath?: string | undefined;
}

export interface LoadedConfig {
  /** Frozen in depth. */
  readonly config: Config;
  /** The merged layers, with the keys of config.toml. */
  readonly table: TomlTable;
  /** The layer of every value in `table`. */
  readonly origins: Origins;
  /** The layers that took part, lowest precedence first. */
  readonly layers: readonly ConfigLayer[];
  /** The same as `config.warnings`. */
  readonly warnings: readonly string[];
}

/**
 * Reads every source of settings on this machine and makes one record of them. Precedence, highest first: flags,
 * `-c`, profile, project files (the nearest first), user file, system file, defaults. Writes nothing and touches no
 * network. Throws a {@link ConfigError}; whether `cwd` exists is not checked, it may be a path of another machine.
 */
export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig> {
  // Files are read synchronously: a run has nothing else to do yet, and waking the thread pool costs more than reading.
  const flags = options.flags ?? {};
  const codexHome = options.codexHome ?? findCodexHome(options.variables, options.homeDirectory);
  const cwd = resolve(options.cwd, flags.cd ?? ".");
  const places = { codexHome, cwd, homeDirectory: options.homeDirectory };
  const { layers, merged, project } = readLayers(options, places);
  const { toml, warnings } = validateLayers(layers, merged, flags.strictConfig === true);
  const { variables } = options;
  const model = resolveModel({ toml, origins: merged.origins, flags, variables });
  const environment = selectEnvironment({
    toml,
    isFlag: flags.environment !== undefined,
    variables,
    readTextFile: (path) => readFileSync(path, "utf8"),
  });
  const config = resolveConfig(toml, {
    codexHome,
    cwd,
    addDirs: flags.addDirs ?? [],
    hasTrustDecision: project.hasTrustDecision,
    model,
    environment,
    baseInstructions: readInstructions(toml.model_instructions_file),
    userInstructions: readUserInstructions(codexHome),
    warnings: [
      ...warnings,
      ...noticeOfOriginalKeys(merged),
      ...project.warnings,
      ...model.warnings,
      ...environment.warnings,
    ],
  });
  const { table, origins } = merged;
  return { config, table, origins, layers, warnings: config.warnings };
}

interface Places {
  readonly codexHome: string;
  readonly cwd: string;
  readonly homeDirectory: string;
}

function readLayers(
  options: LoadConfigOptions,
  places: Places,
): { layers: ConfigLayer[]; merged: MergedLayers; project: ProjectLayers } {
  const { codexHome, cwd, homeDirectory } = places;
  const flags = options.flags ?? {};
  const override: ConfigLayer = {
    kind: "override",
    table: resolvePaths(parseOverrides(flags.overrides ?? []), cwd, homeDirectory),
  };
  const flag: ConfigLayer = { kind: "flag", table: flagTable(flags) };
  const systemFile = options.systemConfigPath ?? "/etc/codex/config.toml";
  const below: ConfigLayer[] = [
    { kind: "default", table: defaultTable },
    ...fileLayer("system", systemFile, homeDirectory),
    ...fileLayer("user", join(codexHome, "config.toml"), homeDirectory),
  ];
  const base = mergeLayers([...below, override]);
  const project = readProjectLayers({ cwd, codexHome, homeDirectory, base });
  const files = [...below, ...project.layers];
  const unprofiled = mergeLayers([...files, override, flag]);
  const name = flags.profile ?? valueAt(unprofiled.table, ["profile"]);
  if (typeof name !== "string")
    return { layers: [...files, override, flag], merged: unprofiled, project };
  const profile = readProfile(name, unprofiled, places);
  const layers = [...files, profile, override, flag];
  return { layers, merged: mergeLayers(layers), project };
}

/** None when there is no such file. */
function fileLayer(kind: "system" | "user", path: string, homeDirectory: string): ConfigLayer[] {
  const toml = readTomlFile(path);
  if (toml === undefined) return [];
  return [{ kind, ...toml, table: resolvePaths(toml.table, dirname(path), homeDirectory) }];
}

function readInstructions(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (cause) {
    const message = `failed to read model instructions file ${file}: ${reason(cause)}`;
    throw new ConfigError("instructions", message, { cause });
  }
  if (text !== "") return text;
  throw new ConfigError("instructions", `model instructions file is empty: ${file}`);
}
