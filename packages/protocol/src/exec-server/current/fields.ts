import * as z from "zod";
import { parseWirePath } from "../../file-uri.ts";

/** `file:` URI of an absolute path. */
export const pathUri = z
  .string()
  .refine(
    (text) => parseWirePath(text) !== undefined,
    "invalid URI: relative URL without a base, or not an absolute `file:` path",
  );

export const processId = z
  .string()
  .describe(
    "Handle chosen by the client, any text; scoped to the session, reserved until 80 s after the exit. Not an operating system pid.",
  );

export const seq = z
  .int()
  .describe("Number of the event within its process, from 1; output, exit and close share it.");

export const chunk = z.string().describe("Bytes as padded standard base64.");

export const sandbox = z
  .record(z.string(), z.unknown())
  .nullish()
  .describe(
    "What may be done: `permissions`, `cwd`, `workspaceRoots`. Enforced, or refused with -32600. Null or left out: anything.",
  );
