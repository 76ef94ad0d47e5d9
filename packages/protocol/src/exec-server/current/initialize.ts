import * as z from "zod";
import { EnvironmentInfo } from "./environment.ts";

export const InitializeParams = z.object({
  clientName: z.string().describe("Name of the client, for the server's log."),
  resumeSessionId: z
    .string()
    .nullish()
    .describe(
      "Session to go on with; null for a new one. This key, whatever its value, chooses this form of the protocol.",
    ),
  extensions: z
    .array(z.string())
    .optional()
    .describe("Names of the extensions the client wants; unknown ones are ignored."),
});

export const InitializeResponse = z.object({
  sessionId: z.string().describe("What to resume by."),
  environmentInfo: EnvironmentInfo.optional().describe("As `environment/info`."),
  extensions: z
    .array(z.string())
    .optional()
    .describe("Those of the wanted extensions that hold from here on. Only when some were wanted."),
  instanceId: z
    .string()
    .optional()
    .describe("Extension `instance`: another one means that the server has started anew."),
  sessionGraceMs: z
    .int()
    .optional()
    .describe(
      "Extension `instance`: how long the session outlives its connection; 0 is not at all.",
    ),
});

export const InitializedParams = z.unknown().describe("Ignored; clients send an empty object.");

export const SessionEndParams = z
  .object({})
  .describe("Extension `sessionEnd`: ends the session's processes and forgets it.");
export const SessionEndResponse = z.object({}).describe("Empty: all of them have ended.");
