import * as z from "zod";
import { type Dialect, typeNameOf } from "./dialects.ts";

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Every type as JSON Schema (2020-12); a type inside another is a `$ref` made by `reference`. */
export function jsonSchemas(
  { types }: Pick<Dialect, "types">,
  reference: (name: string) => string,
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, type] of Object.entries(types)) registry.add(type, { id });
  // The input side: what a reader accepts. Unknown fields are ignored, so none is forbidden.
  const { schemas } = z.toJSONSchema(registry, {
    io: "input",
    uri: reference,
    override: dropLimits,
  });
  return Object.fromEntries(Object.keys(types).map((name) => [name, withoutIds(schemas, name)]));
}

/** One document for one type and all it is made of. */
export function document(title: string, types: Dialect["types"], whole: string): JsonSchema {
  const local = (name: string) => `#/$defs/${name}`;
  const schemas = jsonSchemas({ types }, local);
  for (const schema of Object.values(schemas)) delete schema.$schema;
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  return { $schema, title, $ref: local(whole), $defs: schemas };
}

/** One document for a whole dialect: all types under `$defs`, and which type each method takes and gives. */
export function bundle(dialect: Dialect): JsonSchema {
  const local = (name: string) => `#/$defs/${name}`;
  const refer = (schema: z.ZodType) => ({ $ref: local(typeNameOf(dialect, schema)) });
  const notification = (definition: { params: z.ZodType }) => ({
    params: refer(definition.params),
  });
  const byMethod = <Definition extends { readonly method: string }>(
    table: Readonly<Record<string, Definition>>,
    entry: (definition: Definition) => object,
  ) =>
    Object.fromEntries(
      Object.values(table).map((definition) => [definition.method, entry(definition)]),
    );
  const schemas = jsonSchemas(dialect, local);
  for (const schema of Object.values(schemas)) delete schema.$schema;
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: dialect.protocolVersion,
    requests: byMethod(dialect.requests, ({ params, result }) => ({
      params: refer(params),
      result: refer(result),
    })),
    clientNotifications: byMethod(dialect.clientNotifications, notification),
    serverNotifications: byMethod(dialect.serverNotifications, notification),
    $defs: schemas,
  };
}

/** Every integer is a safe one in JavaScript; saying so tells a reader nothing. */
function dropLimits({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

function withoutIds(schemas: Readonly<Record<string, JsonSchema>>, name: string): JsonSchema {
  const { $id: _, ...schema } = schemas[name] ?? {};
  return schema;
}
