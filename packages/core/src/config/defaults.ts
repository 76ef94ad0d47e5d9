import type { TomlTable } from "./toml-table.ts";

/** The lowest layer: every key that has a value when nobody sets it. */
export const defaultTable: TomlTable = {
  model_provider: "openai",
  allow_login_shell: true,
  hide_agent_reasoning: false,
  background_terminal_max_timeout: 300_000,
  project_doc_max_bytes: 32_768,
  project_doc_fallback_filenames: [],
  project_root_markers: [".git"],
  experimental_supported_tools: [],
  experimental_unified_exec_use_exec_server: false,
  experimental_unified_exec_spawn_local_exec_server: false,
  sandbox_workspace_write: {
    writable_roots: [],
    network_access: false,
    exclude_tmpdir_env_var: false,
    exclude_slash_tmp: false,
  },
  shell_environment_policy: {
    inherit: "all",
    ignore_default_excludes: false,
    exclude: [],
    set: {},
    include_only: [],
  },
  tools: {
    view_image: true,
    update_plan: { enabled: false },
    experimental_request_user_input: { enabled: true },
  },
};
