import * as z from "zod";

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
      /** Paths inside a writable root that stay read-only all the same, missing ones too, beside the names that always do. */
      readonly readOnlyPaths?: readonly string[];
    };

export type SandboxMode = SandboxIntent["mode"];

/** For intents from outside. Refuses what it does not know: a restriction must not get lost. */
export const SandboxIntent: z.ZodType<SandboxIntent> = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.literal("danger-full-access") }),
  z.strictObject({ mode: z.literal("read-only"), networkAccess: z.boolean() }),
  z.strictObject({
    mode: z.literal("workspace-write"),
    writableRoots: z.array(z.string()),
    includeSlashTmp: z.boolean(),
    includeTmpdir: z.boolean(),
    networkAccess: z.boolean(),
    readOnlyPaths: z.array(z.string()).exactOptional(),
  }),
]);

export const fullAccess: SandboxIntent = { mode: "danger-full-access" };
