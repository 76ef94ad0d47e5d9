import * as z from "zod";
import { chatWireApiRemoved } from "./removed-settings.ts";
import { knownFeatureNames } from "./features.ts";

/** A key of the original that is accepted and changes nothing. */
export const withoutEffect = z
  .unknown()
  .optional()
  .describe("Key of the original without effect here.");

const count = z.int().nonnegative();
const seconds = z.number().positive();
const textMap = z.record(z.string(), z.string());

/** `[model_providers.ID]` */
export const ModelProviderToml = z
  .strictObject({
    name: z.string().describe("Display name of the provider."),
    base_url: z
      .string()
      .optional()
      .describe("Address that `/responses` is appended to. Default `https://api.openai.com/v1`."),
    env_key: z
      .string()
      .optional()
      .describe("Variable of this machine that holds the key, sent as `Authorization: Bearer`."),
    env_key_instructions: z
      .string()
      .optional()
      .describe("Shown when the variable of `env_key` is missing: how to get a key."),
    experimental_bearer_token: z
      .string()
      .optional()
      .describe("A token in the file itself; prefer `env_key`."),
    wire_api: z
      .enum(["responses"], {
        error: (issue) => (issue.input === "chat" ? chatWireApiRemoved : undefined),
      })
      .optional()
      .describe("The protocol: `responses`, the only one."),
    query_params: textMap.optional().describe("Parameters appended to the URL of every request."),
    http_headers: textMap.optional().describe("Headers sent with every request."),
    env_http_headers: textMap
      .optional()
      .describe("Header name to variable name; unset or blank variables send no header."),
    request_max_retries: count
      .optional()
      .describe("Further attempts before an answer has begun. Default 4, at most 100."),
    stream_max_retries: count
      .optional()
      .describe("Further attempts after an answer broke off. Default 5, at most 100."),
    stream_idle_timeout_ms: count
      .optional()
      .describe(
        "Longest wait for the headers and for the next event, in milliseconds. Default 300000.",
      ),
    retry_base_delay_ms: count
      .optional()
      .describe(
        "First pause before another attempt, in milliseconds; doubles each time. Default 200.",
      ),
    websocket_connect_timeout_ms: withoutEffect,
    requires_openai_auth: z
      .boolean()
      .optional()
      .describe("The key is the one of the built-in provider (`CODEX_API_KEY`, `OPENAI_API_KEY`)."),
    supports_websockets: withoutEffect,
  })
  .meta({ id: "ModelProvider" });
export type ModelProviderToml = z.infer<typeof ModelProviderToml>;

/** `[environments.NAME]` */
export const EnvironmentToml = z
  .strictObject({
    url: z.string().optional().describe("An exec-server that listens: `ws://` or `wss://`."),
    command: z
      .array(z.string())
      .optional()
      .describe(
        'A program that speaks to an exec-server on stdin and stdout: `["ssh", "host", "codex-exec-server"]`.',
      ),
    spawn_local: z
      .boolean()
      .optional()
      .describe("An exec-server of this run's own, as a process on this machine."),
    in_process: z.boolean().optional().describe("An exec-server inside this process."),
    workspace_root: z
      .string()
      .optional()
      .describe("Directory of the environment that stands for the session's working directory."),
    token_env: z
      .string()
      .optional()
      .describe("With `url`: variable of this machine that holds the token."),
    token_file: z
      .string()
      .optional()
      .describe("With `url`: file of this machine that holds the token."),
    connect_timeout_sec: seconds.optional().describe("With `url`: time to connect. Default 10."),
    resume_timeout_sec: z
      .number()
      .min(0)
      .max(3_600)
      .optional()
      .describe(
        "With `url`: how long a lost connection is tried to be resumed, where the executor keeps the session; 0 is not at all. Default 25.",
      ),
    initialize_timeout_sec: seconds.optional().describe("Time for the first answer. Default 10."),
  })
  .meta({ id: "Environment" });
export type EnvironmentToml = z.infer<typeof EnvironmentToml>;

/** `[shell_environment_policy]` */
export const ShellEnvironmentPolicyToml = z
  .strictObject({
    inherit: z
      .enum(["all", "core", "none"])
      .optional()
      .describe(
        "What a command's variables start from: everything, the core names (HOME, LOGNAME, PATH, SHELL, USER, USERNAME, TMPDIR, TEMP, TMP), or nothing.",
      ),
    ignore_default_excludes: z
      .boolean()
      .optional()
      .describe(
        "When `false`, inherited names that contain KEY, SECRET or TOKEN are dropped. Default `false` (`true` in the original).",
      ),
    exclude: z
      .array(z.string())
      .optional()
      .describe("Patterns (`*`, `?`, any case) of inherited names to drop."),
    set: textMap.optional().describe("Variables to set after the excludes."),
    include_only: z
      .array(z.string())
      .optional()
      .describe("When not empty, only names that match one of these patterns stay."),
    experimental_use_profile: withoutEffect,
  })
  .meta({ id: "ShellEnvironmentPolicy" });

/** `[sandbox_workspace_write]` */
export const SandboxWorkspaceWriteToml = z
  .strictObject({
    writable_roots: z
      .array(z.string())
      .optional()
      .describe("Further directories that commands may write."),
    network_access: z.boolean().optional().describe("Commands may use the network."),
    exclude_tmpdir_env_var: z.boolean().optional().describe("`$TMPDIR` is not writable."),
    exclude_slash_tmp: z.boolean().optional().describe("`/tmp` is not writable."),
  })
  .meta({ id: "SandboxWorkspaceWrite" });

/** `[projects."PATH"]` */
export const ProjectToml = z
  .strictObject({
    trust_level: z
      .enum(["trusted", "untrusted"])
      .optional()
      .describe("Whether the project's own `.codex/config.toml` counts."),
  })
  .meta({ id: "Project" });

const Switch = z
  .strictObject({
    enabled: z.boolean().optional().describe("Offer the tool to the model."),
  })
  .meta({ id: "Switch" });

/** `[tools]` */
export const ToolsToml = z
  .strictObject({
    view_image: z.boolean().optional().describe("Offer `view_image`. Default `true`."),
    update_plan: Switch.optional().describe("The plan tool. Off by default."),
    experimental_request_user_input: Switch.optional().describe(
      "The tool that asks the person; without one at hand it answers at once. On by default.",
    ),
    web_search: withoutEffect,
  })
  .meta({ id: "Tools" });

const feature = z.boolean().optional();

/** `[features]`: every name there is. */
export const FeaturesToml = z
  .strictObject(Object.fromEntries(knownFeatureNames.map((name) => [name, feature])))
  .meta({ id: "Features" });
