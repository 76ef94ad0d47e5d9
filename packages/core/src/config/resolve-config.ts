import type { Config, ModelProvider } from "./config.ts";
import type { ConfigToml } from "./config-toml.ts";
import { resolveFeatures } from "./features.ts";
import type { ResolvedModel } from "./resolve-model.ts";
import { resolveSandbox } from "./sandbox-policy.ts";
import type { SelectedEnvironment } from "./environment-selection.ts";

/** Everything {@link resolveConfig} needs that is not a key of the merged layers. */
export interface ConfigParts {
  readonly codexHome: string;
  readonly cwd: string;
  readonly addDirs: readonly string[];
  readonly hasTrustDecision: boolean;
  readonly model: ResolvedModel;
  readonly environment: SelectedEnvironment;
  readonly baseInstructions: string | undefined;
  readonly userInstructions: string | undefined;
  readonly warnings: readonly string[];
}

/** Keys and parts to the record the run takes; `toml` holds the defaults already. Frozen in depth. */
export function resolveConfig(toml: ConfigToml, parts: ConfigParts): Config {
  const features = resolveFeatures(toml.features ?? {});
  return deepFreeze({
    codexHome: parts.codexHome,
    cwd: parts.cwd,
    model: parts.model.model,
    modelProvider: parts.model.modelProvider,
    modelContextWindow: toml.model_context_window,
    modelAutoCompactTokenLimit: toml.model_auto_compact_token_limit,
    modelReasoningEffort: toml.model_reasoning_effort,
    modelReasoningSummary: toml.model_reasoning_summary,
    modelVerbosity: toml.model_verbosity,
    baseInstructions: parts.baseInstructions,
    developerInstructions: toml.developer_instructions,
    userInstructions: parts.userInstructions,
    sandbox: sandbox(toml, parts),
    allowLoginShell: toml.allow_login_shell!,
    shellEnvironmentPolicy: shellEnvironmentPolicy(toml),
    projectDocMaxBytes: toml.project_doc_max_bytes!,
    projectDocFallbackFilenames: toml
      .project_doc_fallback_filenames!.map((name) => name.trim())
      .filter((name) => name !== ""),
    projectRootMarkers: toml.project_root_markers!,
    toolOutputTokenLimit: toml.tool_output_token_limit,
    backgroundTerminalMaxTimeoutMs: Math.max(5000, toml.background_terminal_max_timeout!),
    webSearch: webSearch(toml, features, parts.model.modelProvider),
    experimentalSupportedTools: toml.experimental_supported_tools!,
    tools: tools(toml, features),
    features,
    hideAgentReasoning: toml.hide_agent_reasoning!,
    environment: parts.environment.selection,
    warnings: parts.warnings,
  });
}

type Features = ReturnType<typeof resolveFeatures>;

function sandbox(toml: ConfigToml, parts: ConfigParts): Config["sandbox"] {
  const table = toml.sandbox_workspace_write!;
  return resolveSandbox({
    mode: toml.sandbox_mode,
    hasTrustDecision: parts.hasTrustDecision,
    cwd: parts.cwd,
    addDirs: parts.addDirs,
    workspaceWrite: {
      writableRoots: table.writable_roots!,
      networkAccess: table.network_access!,
      excludeTmpdirEnvVar: table.exclude_tmpdir_env_var!,
      excludeSlashTmp: table.exclude_slash_tmp!,
    },
  });
}

function shellEnvironmentPolicy(toml: ConfigToml): Config["shellEnvironmentPolicy"] {
  const table = toml.shell_environment_policy!;
  return {
    inherit: table.inherit!,
    ignoreDefaultExcludes: table.ignore_default_excludes!,
    exclude: table.exclude!,
    set: table.set!,
    includeOnly: table.include_only!,
  };
}

/** The old switch counts where `web_search` itself is not set; a server that is not OpenAI's is not told of a tool it may not know. */
function webSearch(
  toml: ConfigToml,
  features: Features,
  provider: ModelProvider,
): Config["webSearch"] {
  if (toml.web_search !== undefined) return toml.web_search;
  if (features.web_search_request) return "live";
  return provider.requestForm === "developerItem" ? "cached" : "disabled";
}

function tools(toml: ConfigToml, features: Features): Config["tools"] {
  const table = toml.tools!;
  return {
    updatePlan: table.update_plan!.enabled!,
    viewImage: features.view_image && table.view_image! && toml.tools_view_image !== false,
    requestUserInput: table.experimental_request_user_input!.enabled!,
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const child of Object.values(value)) deepFreeze(child);
  return value;
}
