import * as z from "zod";
import { ConfigToml } from "./config-toml.ts";

/** The JSON Schema (draft-07) of config.toml, from the definitions the loader parses with; every object's keys are sorted. */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(ConfigToml, {
    target: "draft-07",
    io: "input",
    override: ({ jsonSchema }) => {
      // Every integer is a safe one in JavaScript; saying so tells a reader nothing.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return sortKeys({ ...schema, title: "config.toml" }) as Record<string, unknown>;
}

/** The same as text, the form that is committed: two spaces, one newline at the end. */
export function configJsonSchemaText(): string {
  return `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, child]) => [key, sortKeys(child)]));
}
