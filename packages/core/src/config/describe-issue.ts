import type * as z from "zod";

/** What is wrong with a value, in the words of the original: ``invalid type: string "yes", expected a boolean``. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_type") {
    if (issue.input === undefined) return missingField;
    const expected = typeNames[issue.expected] ?? issue.expected;
    return `invalid type: ${describeValue(issue.input)}, expected ${expected}`;
  }
  if (issue.code === "invalid_value") {
    if (typeof issue.input !== "string")
      return `invalid type: ${describeValue(issue.input)}, expected a string`;
    return `unknown variant \`${issue.input}\`, ${expectedOneOf(issue.values.map(String))}`;
  }
  if (issue.code === "too_small") {
    const bound = issue.inclusive === false ? "more than" : "at least";
    return `invalid value: ${describeValue(issue.input)}, expected ${bound} ${issue.minimum}`;
  }
  return undefined;
}

/** What {@link describeIssue} says of a required key that is not there. */
export const missingField = "missing field";

const typeNames: Readonly<Record<string, string>> = {
  boolean: "a boolean",
  string: "a string",
  number: "a number",
  int: "an integer",
  array: "a sequence",
  object: "a map",
  record: "a map",
};

function expectedOneOf(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  if (quoted.length <= 2) return `expected ${quoted.join(" or ")}`;
  return `expected one of ${quoted.join(", ")}`;
}

function describeValue(value: unknown): string {
  if (typeof value === "string") return `string ${JSON.stringify(value)}`;
  if (typeof value === "boolean") return `boolean \`${value}\``;
  if (typeof value === "number")
    return `${Number.isInteger(value) ? "integer" : "floating point"} \`${value}\``;
  if (Array.isArray(value)) return "sequence";
  return value instanceof Date ? "datetime" : "map";
}
