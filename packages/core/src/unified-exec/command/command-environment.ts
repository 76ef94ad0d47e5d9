import type { EnvironmentPolicy } from "@codex/environment";
import type { SandboxIntent } from "@codex/protocol";

export interface CommandEnvironmentOptions {
  readonly shellEnvironmentPolicy: Omit<EnvironmentPolicy, "overlay">;
  readonly threadId: string;
  readonly sandbox: SandboxIntent;
}

/** The variables of a command: the person's policy, and over it what keeps output plain, pagers away and scripts informed. */
export function commandEnvironment(options: CommandEnvironmentOptions): EnvironmentPolicy {
  return {
    ...options.shellEnvironmentPolicy,
    overlay: {
      ...fixedVariables,
      CODEX_THREAD_ID: options.threadId,
      ...(hasNoNetwork(options.sandbox) ? { CODEX_SANDBOX_NETWORK_DISABLED: "1" } : {}),
    },
  };
}

const fixedVariables = {
  NO_COLOR: "1",
  TERM: "dumb",
  LANG: "C.UTF-8",
  LC_CTYPE: "C.UTF-8",
  LC_ALL: "C.UTF-8",
  COLORTERM: "",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GH_PAGER: "cat",
  CODEX_CI: "1",
} as const;

function hasNoNetwork(sandbox: SandboxIntent): boolean {
  return sandbox.mode !== "danger-full-access" && !sandbox.networkAccess;
}
