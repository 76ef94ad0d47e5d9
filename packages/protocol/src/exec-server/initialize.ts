import * as z from "zod";
import { defineRequest } from "../method.ts";
import { InitializeParams, InitializeResponse } from "./current/initialize.ts";
import * as v0 from "./v0/initialize.ts";

/**
 * `initialize` as a client sends it that does not know yet what the server speaks. The answer tells: a session is the
 * present form, a version is v0; a server that says both speaks the present form.
 */
export const initializeAny = defineRequest(
  "initialize",
  z.union([InitializeParams, v0.InitializeParams]),
  z.looseObject({}).transform((answer, context) => {
    const form = "sessionId" in answer ? InitializeResponse : v0.InitializeResponse;
    const parsed = form.safeParse(answer);
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues)
      context.issues.push({ code: "custom", path, message, input: answer });
    return z.NEVER;
  }),
);
