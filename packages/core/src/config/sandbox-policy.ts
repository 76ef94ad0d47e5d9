import type { SandboxIntent, SandboxMode } from "@codex/protocol";
import { resolve } from "node:path";

export interface SandboxSettings {
  /** What a flag, a profile or a file asks for. */
  readonly mode: SandboxMode | undefined;
  /** Whether the project is marked as trusted or untrusted anywhere. */
  readonly hasTrustDecision: boolean;
  /** Absolute. */
  readonly cwd: string;
  /** `--add-dir`, relative to `cwd`; without effect unless the mode is workspace-write. */
  readonly addDirs: readonly string[];
  readonly workspaceWrite: {
    readonly writableRoots: readonly string[];
    readonly networkAccess: boolean;
    readonly excludeTmpdirEnvVar: boolean;
    readonly excludeSlashTmp: boolean;
  };
}

/** What commands and file changes of the run may do. Without a wish: read-only, or workspace-write in a project somebody decided on. */
export function resolveSandbox(settings: SandboxSettings): SandboxIntent {
  const mode = settings.mode ?? (settings.hasTrustDecision ? "workspace-write" : "read-only");
  if (mode === "danger-full-access") return { mode };
  if (mode === "read-only") return { mode, networkAccess: false };
  const { workspaceWrite, cwd } = settings;
  const added = settings.addDirs.map((directory) => resolve(cwd, directory));
  return {
    mode,
    writableRoots: [...new Set([cwd, ...workspaceWrite.writableRoots, ...added])],
    includeSlashTmp: !workspaceWrite.excludeSlashTmp,
    includeTmpdir: !workspaceWrite.excludeTmpdirEnvVar,
    networkAccess: workspaceWrite.networkAccess,
  };
}
