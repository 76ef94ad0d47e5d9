import type * as z from "zod";
import { wholeNumber } from "./whole-number.ts";

/** How long a call waits for output. */
export function yieldTimeParameter(description: string): z.ZodOptional<z.ZodNumber> {
  return wholeNumber().optional().describe(description);
}

/** How much output a call shows. */
export const maxOutputTokensParameter = wholeNumber()
  .optional()
  .describe(
    "Most output to show, in tokens of about 4 bytes; of longer output the middle is left out. Default 10000, capped by the session's own limit.",
  );
