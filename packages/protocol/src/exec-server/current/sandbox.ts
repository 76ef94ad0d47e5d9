import * as z from "zod";
import { pathUri } from "./fields.ts";

export const SandboxPath = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("path"), path: pathUri }),
    z.strictObject({
      type: z.literal("special"),
      value: z.strictObject({
        kind: z.enum(["root", "project_roots", "slash_tmp", "tmpdir"]),
        subpath: z.string().optional(),
      }),
    }),
  ])
  .describe("A path, or one by its part: everything, the workspace roots, `/tmp`, `$TMPDIR`.");

export const SandboxEntry = z
  .strictObject({
    path: SandboxPath,
    access: z.enum(["read", "write"]).describe("What is allowed there."),
    missing_path_behavior: z
      .literal("skip")
      .optional()
      .describe("What of a path that is not there; this server protects it all the same."),
  })
  .describe("One rule; the deepest that holds a path counts.");

export const SandboxPermissions = z
  .strictObject({
    type: z.literal("managed").describe("Kind of the rules."),
    file_system: z
      .strictObject({
        type: z.literal("restricted"),
        entries: z.array(SandboxEntry),
      })
      .describe("Rules of files."),
    network: z.enum(["restricted", "enabled"]).describe("Whether there is a network."),
  })
  .describe("What may be done.");

/**
 * The value of a `sandbox` field, as far as it can be enforced. Strict all through: a field that is not known may be a
 * restriction. The wire schemas take any object, so that what does not fit is refused in words of its own.
 */
export const SandboxContext = z
  .strictObject({
    permissions: SandboxPermissions,
    cwd: pathUri.nullish().describe("The workspace, where no roots are named."),
    workspaceRoots: z.array(pathUri).nullish().describe("What `project_roots` stands for."),
    policyContext: z
      .strictObject({ cwd: pathUri.nullish(), workspaceRoots: z.array(pathUri).nullish() })
      .nullish()
      .describe("Must name the same roots."),
    userHomeDir: z.unknown().optional().describe("Ignored."),
    windowsSandboxLevel: z.unknown().optional().describe("Ignored."),
    windowsSandboxProxySettingsMode: z.unknown().optional().describe("Ignored."),
    useLegacyLandlock: z.unknown().optional().describe("Ignored."),
  })
  .describe("A restriction as the original's clients say it.");

export type SandboxEntry = z.infer<typeof SandboxEntry>;
export type SandboxContext = z.infer<typeof SandboxContext>;
