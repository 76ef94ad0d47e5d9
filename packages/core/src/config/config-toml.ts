import * as z from "zod";
import {
  EnvironmentToml,
  FeaturesToml,
  ModelProviderToml,
  ProjectToml,
  SandboxWorkspaceWriteToml,
  ShellEnvironmentPolicyToml,
  ToolsToml,
  withoutEffect,
} from "./config-tables.ts";
import { originalProfileKeys, originalTopLevelKeys } from "./original-keys.ts";

const count = z.int().nonnegative();

/** Keys that may stand at top level and in a profile. */
const shared = {
  model: z.string().optional().describe("Name of the model."),
  model_provider: z
    .string()
    .optional()
    .describe("Id of the provider: `openai`, `ollama`, `lmstudio`, or one of `[model_providers]`."),
  model_reasoning_effort: z
    .string()
    .optional()
    .describe("How much the model thinks, such as `low`, `medium`, `high`."),
  model_reasoning_summary: z
    .enum(["auto", "concise", "detailed", "none"])
    .optional()
    .describe("Summaries of the model's thinking."),
  model_verbosity: z.enum(["low", "medium", "high"]).optional().describe("Length of answers."),
  model_instructions_file: z
    .string()
    .optional()
    .describe("File whose text replaces the built-in base instructions."),
  approval_policy: z
    .union(
      [
        z.enum(["untrusted", "on-failure", "on-request", "never"]),
        z.record(z.string(), z.unknown()),
      ],
      { error: "expected one of `untrusted`, `on-failure`, `on-request`, `never`, or a map" },
    )
    .optional()
    .describe("Accepted as in the original; `codex exec` always behaves as `never`."),
  sandbox_mode: z
    .enum(["read-only", "workspace-write", "danger-full-access"])
    .optional()
    .describe(
      "What commands may do. Default `read-only`; `workspace-write` in a project with a trust decision.",
    ),
  web_search: z
    .enum(["disabled", "cached", "live"])
    .optional()
    .describe("The provider's own web search."),
  oss_provider: z.string().optional().describe("What `--oss` uses: `ollama` or `lmstudio`."),
  tools: ToolsToml.optional().describe("Which tools the model is offered."),
  tools_view_image: z.boolean().optional().describe("Old spelling of `tools.view_image`."),
  features: FeaturesToml.optional().describe("Switches by name."),
  experimental_use_unified_exec_tool: z
    .boolean()
    .optional()
    .describe("Accepted as in the original; commands always run in sessions of their own."),
  zsh_path: z
    .string()
    .optional()
    .describe("Accepted as in the original; commands use the user's shell."),
  environment: z
    .string()
    .optional()
    .describe("Where commands run and files live: `local`, `none`, or one of `[environments]`."),
  experimental_unified_exec_use_exec_server: z
    .boolean()
    .optional()
    .describe(
      "Run commands and file tools through an exec-server; in this process unless told otherwise.",
    ),
  experimental_unified_exec_spawn_local_exec_server: z
    .boolean()
    .optional()
    .describe(
      "With the exec-server switched on: start one for this session as a process of its own.",
    ),
  experimental_unified_exec_exec_server_websocket_url: z
    .string()
    .optional()
    .describe(
      "With the exec-server switched on: connect to this websocket address. Blank is unset.",
    ),
  experimental_unified_exec_exec_server_workspace_root: z
    .string()
    .optional()
    .describe("Directory of the exec-server that stands for the session's working directory."),
  experimental_supported_tools: z
    .array(z.string())
    .optional()
    .describe(
      "Further tools to offer beside those of the model: `read_file`, `list_dir`, `grep_files`.",
    ),
};

/** `[profiles.NAME]` */
export const ProfileToml = z
  .strictObject({ ...shared, ...unused(originalProfileKeys) })
  .meta({ id: "Profile", description: "A set of values to choose with `--profile NAME`." });

/** `config.toml`. Unknown keys are told apart from errors by whoever parses. */
export const ConfigToml = z.strictObject({
  ...shared,
  ...unused(originalTopLevelKeys),
  profile: z.string().optional().describe("Profile to use when `--profile` is not given."),
  profiles: z.record(z.string(), ProfileToml).optional().describe("Profiles by name."),
  model_providers: z
    .record(z.string(), ModelProviderToml)
    .optional()
    .describe("Providers by id, beside the built-in ones."),
  openai_base_url: z
    .string()
    .optional()
    .describe("Address of the built-in provider `openai` in place of its own."),
  model_context_window: count
    .optional()
    .describe("Size of the model's context in tokens, when it is not the one we know."),
  model_auto_compact_token_limit: count
    .optional()
    .describe("Tokens of context at which the history is compacted. Default 90 % of the window."),
  developer_instructions: z
    .string()
    .optional()
    .describe("Further instructions, sent as a developer message."),
  sandbox_workspace_write: SandboxWorkspaceWriteToml.optional().describe(
    "What the mode `workspace-write` adds.",
  ),
  allow_login_shell: z.boolean().optional().describe("The model may ask for a login shell."),
  shell_environment_policy: ShellEnvironmentPolicyToml.optional().describe(
    "Which variables a command gets.",
  ),
  projects: z.record(z.string(), ProjectToml).optional().describe("Projects by absolute path."),
  project_doc_max_bytes: count
    .optional()
    .describe("Most bytes of AGENTS.md files that are read; 0 reads none."),
  project_doc_fallback_filenames: z
    .array(z.string())
    .optional()
    .describe("Names to try where a directory has no AGENTS.md."),
  project_root_markers: z
    .array(z.string())
    .optional()
    .describe(
      "Names whose presence makes a directory the project's root. Not read from project files.",
    ),
  tool_output_token_limit: count
    .optional()
    .describe("Most tokens of one tool's output that the model is shown."),
  background_terminal_max_timeout: count
    .optional()
    .describe("Longest wait for output of a running command, in milliseconds; at least 5000."),
  hide_agent_reasoning: z.boolean().optional().describe("Do not show the model's reasoning."),
  environments: z
    .record(z.string(), EnvironmentToml)
    .optional()
    .describe("Places to work in, by name."),
});
export type ConfigToml = z.infer<typeof ConfigToml>;

function unused<Key extends string>(keys: readonly Key[]): Record<Key, typeof withoutEffect> {
  const entries = keys.map((key) => [key, withoutEffect]);
  return Object.fromEntries(entries) as Record<Key, typeof withoutEffect>;
}
