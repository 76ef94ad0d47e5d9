import { builtInProviders } from "../model/providers.ts";
import type { ModelProvider } from "./config.ts";
import { ConfigError } from "./config-error.ts";
import type { ConfigToml } from "./config-toml.ts";
import { defaultModel } from "../model/models.ts";
import type { ConfigFlags } from "./flags.ts";
import type { Origins } from "./layers.ts";
import { findProvider, providerTable } from "./provider-table.ts";
import { ollamaChatRemoved } from "./removed-settings.ts";

export interface ModelSettings {
  readonly toml: ConfigToml;
  readonly origins: Origins;
  readonly flags: ConfigFlags;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export interface ResolvedModel {
  readonly model: string;
  readonly modelProvider: ModelProvider;
  readonly warnings: readonly string[];
}

/** Which model is asked, and where. Throws a {@link ConfigError} of kind `provider` when the provider is unknown. */
export function resolveModel(settings: ModelSettings): ResolvedModel {
  const { toml, flags, variables } = settings;
  const address = openaiBaseUrl(settings);
  const builtIn = builtInProviders({ variables, openaiBaseUrl: address.url });
  const providers = providerTable(builtIn, toml.model_providers ?? {});
  const isOss = flags.oss === true || flags.localProvider !== undefined;
  const id = isOss ? ossProvider(settings) : toml.model_provider!;
  const modelProvider = findProvider(providers, id);
  return {
    model: chosenModel(settings, isOss) ?? ossModels[id] ?? defaultModel,
    modelProvider,
    warnings: address.warnings,
  };
}

const ossModels: Readonly<Record<string, string>> = {
  ollama: "gpt-oss:20b",
  lmstudio: "openai/gpt-oss-20b",
};

/** With `--oss` a model set for everyday use does not count: it is rarely one the local server has. */
function chosenModel({ toml, origins }: ModelSettings, isOss: boolean): string | undefined {
  const kind = origins.get("model")?.kind;
  const isForThisRun = kind === "flag" || kind === "override" || kind === "profile";
  return isOss && !isForThisRun ? undefined : toml.model;
}

function ossProvider({ toml, flags }: ModelSettings): string {
  const id = flags.localProvider ?? toml.oss_provider ?? "ollama";
  if (Object.hasOwn(ossModels, id)) return id;
  const text =
    id === "ollama-chat"
      ? ollamaChatRemoved
      : `\`${id}\` is no local provider; use \`ollama\` or \`lmstudio\``;
  throw new ConfigError("provider", text);
}

function openaiBaseUrl({ toml, variables }: ModelSettings): {
  url: string | undefined;
  warnings: string[];
} {
  if (toml.openai_base_url !== undefined) return { url: toml.openai_base_url, warnings: [] };
  const url = variables["OPENAI_BASE_URL"]?.trim() || undefined;
  const warning = "OPENAI_BASE_URL is deprecated: set `openai_base_url` in config.toml instead";
  return { url, warnings: url === undefined ? [] : [warning] };
}
