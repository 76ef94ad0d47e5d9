import type { Dialect } from "./dialects.ts";
import { type JsonSchema, jsonSchemas } from "./json-schemas.ts";

/** Types as TypeScript declarations, each description a comment. */
export function declarations(title: string, types: Dialect["types"]): string {
  const texts = Object.entries(jsonSchemas({ types }, (name) => name)).map(
    ([name, schema]) => `${comment(schema, "")}export type ${name} =${definition(schema)};\n`,
  );
  return [`// ${title}, generated from the schemas.\n`, ...texts].join("\n");
}

/** Alternatives that are objects, or too long for a line, stand below each other, as the formatter has them. */
function definition(schema: JsonSchema): string {
  const text = typeText(schema, "");
  const options =
    schema.oneOf?.map((option) => typeText(inner(option), "    ")) ??
    (text.length > 80 ? schema.enum?.map((value) => JSON.stringify(value)) : undefined);
  return options?.map((option) => `\n  | ${option}`).join("") ?? ` ${text}`;
}

function typeText(schema: JsonSchema, indent: string): string {
  const { $ref, type, anyOf = schema.oneOf } = schema;
  if ($ref !== undefined) return $ref;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (anyOf !== undefined) return union(anyOf.map((option) => typeText(inner(option), indent)));
  if (Array.isArray(type)) {
    return union(type.map((one) => typeText({ ...schema, type: one }, indent)));
  }
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `Array<${typeText(inner(schema.items), indent)}>`;
    case "object":
      return objectText(schema, indent);
    case undefined:
    default:
      return "unknown";
  }
}

function objectText(schema: JsonSchema, indent: string): string {
  const properties = Object.entries(schema.properties ?? {});
  const others =
    typeof schema.additionalProperties === "object"
      ? `[key: string]: ${typeText(inner(schema.additionalProperties), indent)}`
      : undefined;
  if (properties.length === 0)
    return others === undefined ? "Record<string, never>" : `{ ${others} }`;
  const deeper = `${indent}  `;
  const lines = properties.map(([name, property]) => {
    const mark = schema.required?.includes(name) === true ? "" : "?";
    const text = typeText(inner(property), deeper);
    return `${comment(inner(property), deeper)}${deeper}${name}${mark}: ${text};\n`;
  });
  if (others !== undefined) lines.push(`${deeper}${others};\n`);
  return `{\n${lines.join("")}${indent}}`;
}

function union(types: readonly string[]): string {
  return types.join(" | ");
}

function comment({ description }: JsonSchema, indent: string): string {
  return description === undefined ? "" : `${indent}/** ${description} */\n`;
}

/** What stands inside a schema; none of ours has a form this file does not print. */
function inner(schema: unknown): JsonSchema {
  if (typeof schema === "object" && schema !== null && !Array.isArray(schema)) {
    return schema as JsonSchema;
  }
  throw new Error(`no declaration for ${JSON.stringify(schema)}`);
}
