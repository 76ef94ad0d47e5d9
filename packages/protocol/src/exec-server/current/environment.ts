import * as z from "zod";
import { pathUri } from "./fields.ts";

export const EnvironmentInfoParams = z.unknown().describe("Ignored; clients send null.");

export const ShellInfo = z
  .object({
    name: z.string().describe("Such as `bash`."),
    path: z.string().describe("Plain path of the program."),
  })
  .describe("The user's shell.");

/** Only what every server tells is required: a client must live with less than ours tells. */
export const EnvironmentInfo = z
  .object({
    shell: ShellInfo,
    executorVersion: z.string().optional().describe("Version of the server's program."),
    providerId: z.string().nullish().describe("Names the machine, where the server can tell."),
    cwd: pathUri.nullish().describe("Working directory of the server."),
    userHomeDir: pathUri.nullish().describe("Home of the server's user."),
    platformOs: z.string().optional().describe("`linux` or `macos`."),
    prependPathDirs: z.array(pathUri).optional().describe("Folders to put before PATH."),
    temporaryDirectories: z
      .array(pathUri)
      .optional()
      .describe("Further folders for temporary files."),
    tempDir: pathUri.nullish().describe("Folder for temporary files."),
    capabilities: z
      .record(z.string(), z.boolean())
      .optional()
      .describe("Optional parts of the original protocol, by name; absent is false."),
  })
  .describe("The machine as it tells about itself.");

export const EnvironmentStatusParams = z.unknown().describe("Ignored; clients send null.");

export const EnvironmentStatusResponse = z.object({
  status: z.string().describe("Always `ready`."),
});
