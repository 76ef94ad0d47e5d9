import * as z from "zod";
import { RespondToModelError, type Tool, type ToolContext, type ToolOutput } from "./tool.ts";

export interface FunctionTool<Parameters extends z.ZodObject> {
  readonly name: string;
  /** What the model reads to decide when to call it. */
  readonly description: string;
  /** Every field carries a description; unknown fields are ignored. */
  readonly parameters: Parameters;
  readonly isParallel?: boolean;
  /** A plain string is a success. */
  run(args: z.infer<Parameters>, context: ToolContext): Promise<ToolOutput | string>;
}

/** A function tool from its name, its parameters and its code: the model's schema and the check of its arguments are one. */
export function defineTool<Parameters extends z.ZodObject>(tool: FunctionTool<Parameters>): Tool {
  return {
    name: tool.name,
    isParallel: tool.isParallel ?? false,
    definition: {
      type: "function",
      name: tool.name,
      description: tool.description,
      strict: false,
      parameters: jsonSchemaOf(tool.parameters),
    },
    async run(call, context) {
      const result = await tool.run(parseArguments(tool.parameters, call.input), context);
      return typeof result === "string" ? { output: result, isSuccess: true } : result;
    },
  };
}

/** The door for a function call's arguments; the prefix and the name of the field are contract. */
export function parseArguments<Parameters extends z.ZodObject>(
  parameters: Parameters,
  input: string,
): z.infer<Parameters> {
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch (error) {
    throw parseFailure((error as Error).message, error);
  }
  const parsed = parameters.safeParse(withoutNulls(value));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.map(String).join(".");
  throw parseFailure(
    field ? `field \`${field}\`: ${issue?.message}` : (issue?.message ?? "invalid"),
    parsed.error,
  );
}

/** Some models say null for what they leave out. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

function parseFailure(reason: string, cause: unknown): RespondToModelError {
  return new RespondToModelError(`failed to parse function arguments: ${reason}`, { cause });
}

function jsonSchemaOf(parameters: z.ZodObject): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: "input" });
  return sorted(schema) as Record<string, unknown>;
}

/**
 * Property maps in sorted key order, so that a request's bytes do not depend on how a tool was written; every object,
 * at any depth, closed.
 */
function sorted(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(sorted);
  if (schema === null || typeof schema !== "object") return schema;
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key !== "properties" || typeof value !== "object" || value === null)
      return [key, sorted(value)];
    const properties = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return [
      key,
      Object.fromEntries(properties.map(([name, property]) => [name, sorted(property)])),
    ];
  });
  const result = Object.fromEntries(entries);
  return "properties" in schema ? { ...result, additionalProperties: false } : result;
}
