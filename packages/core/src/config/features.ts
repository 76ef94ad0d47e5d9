/** Switches that change what this runtime does, and how they stand when nobody says anything. */
export const featureDefaults: Readonly<Record<FeatureName, boolean>> = {
  apply_patch_freeform: false,
  shell_tool: true,
  unified_exec: true,
  view_image: true,
  web_search_cached: false,
  web_search_request: false,
};

export type FeatureName =
  | "apply_patch_freeform"
  | "shell_tool"
  | "unified_exec"
  | "view_image"
  | "web_search_cached"
  | "web_search_request";

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

/** Features of the original that have no counterpart here: accepted either way, told once when switched on. */
export const originalFeatures = [
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
  ...originalFeatures,
].toSorted();

/** `[features]` and the old top-level switches (already in file order: a later entry wins) to one value per feature. */
export function resolveFeatures(
  switches: ReadonlyArray<readonly [name: string, value: boolean | undefined]>,
): Readonly<Record<FeatureName, boolean>> {
  const features = { ...featureDefaults };
  for (const [name, value] of switches) {
    const canonical = featureAliases[name] ?? name;
    if (value !== undefined && isFeature(canonical)) features[canonical] = value;
  }
  return features;
}

function isFeature(name: string): name is FeatureName {
  return Object.hasOwn(featureDefaults, name);
}
