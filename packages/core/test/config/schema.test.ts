import { expect, test } from "vitest";
import { configJsonSchema, configJsonSchemaText } from "@codex/core";

interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: unknown;
  readonly definitions?: Readonly<Record<string, SchemaNode>>;
}

const schema = configJsonSchema() as SchemaNode;

/** Every object of the schema with the place it was found at. */
function* nodes(value: unknown, at = "#"): Generator<[string, SchemaNode]> {
  if (typeof value !== "object" || value === null) return;
  yield [at, value as SchemaNode];
  for (const [key, child] of Object.entries(value)) yield* nodes(child, `${at}/${key}`);
}

// Written by `vitest run packages/core/test/config -u`.
test("config.md 14: the committed schema is the one of the definitions, byte for byte", async () => {
  await expect(configJsonSchemaText()).toMatchFileSnapshot("../../config.schema.json");
});

test("config.md 14: keys are sorted everywhere and nothing is null", () => {
  for (const [at, node] of nodes(schema)) {
    if (!Array.isArray(node)) expect(Object.keys(node), at).toEqual(Object.keys(node).toSorted());
    expect(node.type, at).not.toBe("null");
  }
});

test("config.md 14: every table with known keys is closed", () => {
  const tables = [...nodes(schema)].filter(
    ([, node]) => typeof node.properties === "object" && node.type === "object",
  );
  expect(tables.length).toBeGreaterThan(8);
  for (const [at, table] of tables) expect(table.additionalProperties, at).toBe(false);
});

test("every key has a description", () => {
  const keys = [...nodes(schema)].filter(
    ([at]) => /\/properties\/[^/]+$/.test(at) && !at.startsWith("#/definitions/Features/"),
  );
  const silent = keys.filter(([, node]) => node.description === undefined).map(([at]) => at);
  expect(silent).toEqual([]);
});

test.each([
  "experimental_unified_exec_use_exec_server",
  "experimental_unified_exec_spawn_local_exec_server",
  "experimental_unified_exec_exec_server_websocket_url",
  "experimental_unified_exec_exec_server_workspace_root",
  "experimental_supported_tools",
])("seed E11: %s is described at top level and in profiles", (key) => {
  const places = [schema.properties?.[key], schema.definitions?.["Profile"]?.properties?.[key]];
  expect(places.map((node) => typeof node?.description)).toEqual(["string", "string"]);
});
