/** Switches that change what this runtime does, and how they stand when nobody says anything. */
export const featureDefaults: Readonly<Record<FeatureName, boolean>> = {
  shell_tool: true,
  view_image: true,
  web_search_cached: false,
  web_search_request: false,
};

export type FeatureName = "shell_tool" | "view_image" | "web_search_cached" | "web_search_request";

/** Old names of features, as the original still accepts them. */
export const featureAliases: Readonly<Record<string, string>> = {
  collab: "multi_agent",
  connectors: "apps",
  enable_experimental_windows_sandbox: "experimental_windows_sandbox",
  experimental_use_freeform_apply_patch: "apply_patch_freeform",
  experimental_use_unified_exec_tool: "unified_exec",
  include_apply_patch_tool: "apply_patch_freeform",
  memory_tool: "memories",
  request_permissions: "exec_permission_approvals",
  web_search: "web_search_request",
};

/** Features of the original that are always on here; switching one off is told once. */
export const alwaysOnFeatures = ["unified_exec"] as const;

/** Features of the original that have no counterpart here; switching one on is told once. */
export const originalFeatures = [
  "apply_patch_freeform",
  "apps",
  "artifact",
  "child_agents_md",
  "code_mode",
  "code_mode_only",
  "codex_git_commit",
  "codex_hooks",
  "collaboration_modes",
  "default_mode_request_user_input",
  "elevated_windows_sandbox",
  "enable_fanout",
  "enable_request_compression",
  "exec_permission_approvals",
  "experimental_windows_sandbox",
  "fast_mode",
  "goals",
  "guardian_approval",
  "hooks",
  "image_detail_original",
  "image_generation",
  "js_repl",
  "js_repl_tools_only",
  "memories",
  "multi_agent",
  "personality",
  "plugins",
  "powershell_utf8",
  "prevent_idle_sleep",
  "realtime_conversation",
  "remote_models",
  "request_permissions_tool",
  "request_rule",
  "responses_websockets",
  "responses_websockets_v2",
  "runtime_metrics",
  "search_tool",
  "shell_snapshot",
  "shell_zsh_fork",
  "skill_env_var_dependency_prompt",
  "skill_mcp_dependency_install",
  "sqlite",
  "steer",
  "tool_call_mcp_elicitation",
  "tool_suggest",
  "tui_app_server",
  "undo",
  "use_legacy_landlock",
  "use_linux_sandbox_bwrap",
  "voice_transcription",
] as const;

/** Every name `[features]`, `--enable` and `--disable` accept. */
export const knownFeatureNames: readonly string[] = [
  ...Object.keys(featureDefaults),
  ...Object.keys(featureAliases),
  ...alwaysOnFeatures,
  ...originalFeatures,
].toSorted();

/** `[features]`, old names included, to one value per feature that has an effect. */
export function resolveFeatures(
  switches: Readonly<Record<string, boolean | undefined>>,
): Readonly<Record<FeatureName, boolean>> {
  const features = { ...featureDefaults };
  for (const [name, value] of Object.entries(switches)) {
    const canonical = featureAliases[name] ?? name;
    if (value !== undefined && isFeature(canonical)) features[canonical] = value;
  }
  return features;
}

function isFeature(name: string): name is FeatureName {
  return Object.hasOwn(featureDefaults, name);
}
