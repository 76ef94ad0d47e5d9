import * as z from "zod";

/** A parameter that counts: the model sees `number`, and anything but a whole number from 0 up is its mistake. */
export function wholeNumber(): z.ZodNumber {
  return z
    .number()
    .refine((value) => Number.isInteger(value) && value >= 0, "expected a whole number, 0 or more");
}
