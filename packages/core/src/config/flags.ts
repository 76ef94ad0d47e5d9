import type { SandboxMode } from "@codex/protocol";
import { ConfigError } from "./config-error.ts";
import { knownFeatureNames } from "./features.ts";
import { didYouMean, nearestWord } from "./known-keys.ts";
import { emptyTable, setValueAt, type TomlTable } from "./toml-table.ts";

/** What the command line, or a program in its place, says about settings. All of it beats every other layer but `overrides`. */
export interface ConfigFlags {
  readonly model?: string | undefined;
  readonly sandbox?: SandboxMode | undefined;
  readonly profile?: string | undefined;
  /** `-c key=value`, in order; a layer of its own below the other flags. */
  readonly overrides?: readonly string[] | undefined;
  /** Relative to the process's directory. */
  readonly cd?: string | undefined;
  /** Relative to the session's directory. */
  readonly addDirs?: readonly string[] | undefined;
  readonly enable?: readonly string[] | undefined;
  readonly disable?: readonly string[] | undefined;
  /** An unknown key is an error instead of a warning. */
  readonly strictConfig?: boolean | undefined;
  readonly oss?: boolean | undefined;
  /** `ollama` or `lmstudio`; implies `oss`. */
  readonly localProvider?: string | undefined;
  readonly environment?: string | undefined;
}

/** The flags that stand for keys, as the highest layer. Throws a {@link ConfigError} of kind `feature` for an unknown feature. */
export function flagTable(flags: ConfigFlags): TomlTable {
  const table = emptyTable();
  const keys = {
    model: flags.model,
    sandbox_mode: flags.sandbox,
    environment: flags.environment,
  };
  for (const [key, value] of Object.entries(keys))
    if (value !== undefined) setValueAt(table, [key], value);
  for (const name of flags.enable ?? []) setValueAt(table, ["features", known(name)], true);
  for (const name of flags.disable ?? []) setValueAt(table, ["features", known(name)], false);
  return table;
}

function known(name: string): string {
  if (knownFeatureNames.includes(name)) return name;
  const hint = didYouMean(nearestWord(name, knownFeatureNames));
  throw new ConfigError("feature", `Unknown feature flag: ${name}${hint}`);
}
