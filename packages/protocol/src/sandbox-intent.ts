/**
 * What a command or a file change may do. Decided once per run by the agent and sent with every start and every
 * changing file call; the side that does the work enforces it by its own means or refuses. Paths are the
 * environment's own, absolute.
 */
export type SandboxIntent =
  | { readonly mode: "danger-full-access" }
  | { readonly mode: "read-only"; readonly networkAccess: boolean }
  | {
      readonly mode: "workspace-write";
      /** Folders that may be written, the working directory included. */
      readonly writableRoots: readonly string[];
      /** Adds the executor's `/tmp`. */
      readonly includeSlashTmp: boolean;
      /** Adds the executor's `$TMPDIR`. */
      readonly includeTmpdir: boolean;
      readonly networkAccess: boolean;
    };

export type SandboxMode = SandboxIntent["mode"];

export const fullAccess: SandboxIntent = { mode: "danger-full-access" };
