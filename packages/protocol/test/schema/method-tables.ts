import type * as z from "zod";
import { type Dialect, typeNameOf } from "./dialects.ts";
import { type JsonSchema, jsonSchemas } from "./json-schemas.ts";

/** Every method of a dialect with its fields, as Markdown tables. */
export function methodTables(dialect: Dialect): string {
  const schemas = jsonSchemas(dialect, (name) => name);
  const table = (title: string, rows: readonly string[]) =>
    [`### ${title}`, "", "| method | field | type | |", "|---|---|---|---|", ...rows, ""].join(
      "\n",
    );
  const fields = (type: z.ZodType, sign: string) =>
    fieldRows(schemas, typeNameOf(dialect, type), sign);
  const notices = (table_: Dialect["serverNotifications"]) =>
    Object.values(table_).flatMap(({ method, params }) => rows(method, fields(params, "")));
  const requests = Object.values(dialect.requests).flatMap(({ method, params, result }) =>
    rows(method, [...fields(params, "→ "), ...fields(result, "← ")]),
  );
  return [
    table("Requests: `→` goes in, `←` comes back", requests),
    table("Notifications of the client", notices(dialect.clientNotifications)),
    table("Notifications of the server", notices(dialect.serverNotifications)),
  ].join("\n");
}

/** The method stands in its first row only. */
function rows(method: string, fields: readonly string[]): string[] {
  return fields.map((field, index) => `| ${index === 0 ? `\`${method}\`` : ""} | ${field} |`);
}

function fieldRows(
  schemas: Readonly<Record<string, JsonSchema>>,
  name: string,
  sign: string,
): string[] {
  const schema = schemas[name] ?? {};
  const fields = Object.entries(schema.properties ?? {}) as [string, JsonSchema][];
  if (fields.length === 0) return [`${sign}nothing | | ${schema.description ?? ""}`];
  return fields.flatMap(([field, type]) => {
    const mark = schema.required?.includes(field) === true ? "" : "?";
    const row = `${sign}\`${field}\`${mark} | ${typeOf(type)} | ${describe(schemas, type)}`;
    const within = type.type === "array" ? (type.items as JsonSchema).$ref : undefined;
    if (within === undefined) return [row];
    return [row, ...fieldRows(schemas, within, `${sign}${field}: `)];
  });
}

function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return schema.$ref;
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((option) => typeOf(option as JsonSchema)).join(" or ");
  }
  if (schema.type === "array") return `list of ${typeOf(schema.items as JsonSchema)}`;
  if (schema.type === "object") return "text by name";
  return [schema.type].flat().join(" or ");
}

/** A type by name says what it is itself. */
function describe(schemas: Readonly<Record<string, JsonSchema>>, schema: JsonSchema): string {
  return schema.description ?? schemas[schema.$ref ?? ""]?.description ?? "";
}
