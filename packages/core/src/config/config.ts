import type { SandboxIntent } from "@codex/protocol";
import type { EnvironmentPolicy } from "@codex/environment";

/** One entry of the provider table, defaults filled in. */
export interface ModelProvider {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  /** Name of the variable that holds the key; undefined: no key is sent (unless `bearerToken` or `requiresOpenaiAuth`). */
  readonly envKey: string | undefined;
  readonly envKeyInstructions: string | undefined;
  readonly bearerToken: string | undefined;
  readonly queryParams: Readonly<Record<string, string>>;
  readonly httpHeaders: Readonly<Record<string, string>>;
  /** Header name to name of the variable that holds its value. */
  readonly envHttpHeaders: Readonly<Record<string, string>>;
  /** The captured form of the original for `openai`; `instructions` and no item ids for everybody else. */
  readonly requestForm: "developerItem" | "instructions";
  readonly requiresOpenaiAuth: boolean;
  readonly requestMaxRetries: number;
  readonly streamMaxRetries: number;
  readonly streamIdleTimeoutMs: number;
  readonly retryBaseDelayMs: number;
}

/** Which environment the run works in, decided from flags, keys and variables in one place. */
export type EnvironmentSelection =
  | { readonly kind: "local" }
  | { readonly kind: "none" }
  | {
      readonly kind: "inProcess" | "spawnLocal";
      readonly name: string;
      readonly workspaceRoot: string | undefined;
      readonly initializeTimeoutMs: number;
    }
  | {
      readonly kind: "websocket";
      readonly name: string;
      readonly url: string;
      readonly token: string | undefined;
      readonly workspaceRoot: string | undefined;
      readonly connectTimeoutMs: number;
      /** How long a lost connection is tried to be resumed; 0 is not at all. Default 25,000. */
      readonly resumeTimeoutMs?: number;
      readonly initializeTimeoutMs: number;
    }
  | {
      readonly kind: "command";
      readonly name: string;
      readonly command: readonly string[];
      readonly workspaceRoot: string | undefined;
      readonly initializeTimeoutMs: number;
    };

/** Everything a run was told, resolved and frozen; nothing below reads a file, a flag or a variable for settings again. */
export interface Config {
  readonly codexHome: string;
  /** The session's working directory as a person spelled it, absolute; a path of this machine when the work is here. */
  readonly cwd: string;
  readonly model: string;
  readonly modelProvider: ModelProvider;
  readonly modelContextWindow: number | undefined;
  readonly modelAutoCompactTokenLimit: number | undefined;
  readonly modelReasoningEffort: string | undefined;
  readonly modelReasoningSummary: string | undefined;
  readonly modelVerbosity: string | undefined;
  /** Text of `model_instructions_file`; undefined: our own base instructions. */
  readonly baseInstructions: string | undefined;
  readonly developerInstructions: string | undefined;
  /** Text of the user's own AGENTS file in `codexHome`, trimmed. */
  readonly userInstructions: string | undefined;
  readonly sandbox: SandboxIntent;
  readonly allowLoginShell: boolean;
  readonly shellEnvironmentPolicy: Omit<EnvironmentPolicy, "overlay">;
  readonly projectDocMaxBytes: number;
  readonly projectDocFallbackFilenames: readonly string[];
  readonly projectRootMarkers: readonly string[];
  readonly toolOutputTokenLimit: number | undefined;
  readonly backgroundTerminalMaxTimeoutMs: number;
  readonly webSearch: "disabled" | "cached" | "live";
  readonly experimentalSupportedTools: readonly string[];
  readonly tools: {
    readonly updatePlan: boolean;
    readonly viewImage: boolean;
    readonly requestUserInput: boolean;
  };
  readonly features: Readonly<Record<string, boolean>>;
  readonly hideAgentReasoning: boolean;
  readonly environment: EnvironmentSelection;
  /** Things to tell the person once, such as a misspelt key. */
  readonly warnings: readonly string[];
}
