import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import * as z from "zod";
import { FsReadDirectoryEntry, threadEventSchemas } from "../src/index.ts";
import { declarations } from "./schema/declarations.ts";
import { dialects } from "./schema/dialects.ts";
import { bundle, document, jsonSchemas } from "./schema/json-schemas.ts";

const folder = fileURLToPath(new URL("../schema/", import.meta.url));
const generated = new Map([...dialects.flatMap(filesOf), ...filesOfEvents()]);

test.each([...generated])(
  "schema/%s is what the definitions say (mend with `pnpm --filter @codex/protocol generate`)",
  async (path, text) => {
    await expect(text).toMatchFileSnapshot(`${folder}${path}`);
  },
);

test("schema/ holds nothing that is not generated", async () => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.length));
  expect(paths.toSorted()).toEqual([...generated.keys()].toSorted());
});

test.each([
  [{ fileName: "l", isDirectory: false, isFile: false, isSymlink: true }, true],
  [{ fileName: "l", isDirectory: false, isFile: false }, false],
  [{ fileName: "l", isDirectory: false, isFile: false, isSymlink: "true" }, false],
])("seed B1: the generated schema of a directory entry judges %j: %s", (entry, accepted) => {
  for (const schema of [entrySchema(), bundledEntrySchema()]) {
    expect(z.fromJSONSchema(schema).safeParse(entry).success).toBe(accepted);
  }
  expect(FsReadDirectoryEntry.safeParse(entry).success).toBe(accepted);
});

test("seed B2: every property of a directory entry is described in the schema and in the declaration", () => {
  const properties = entrySchema()["properties"] as Record<string, { description: string }>;
  expect(Object.keys(properties)).toEqual(["fileName", "isDirectory", "isFile", "isSymlink"]);
  const declared = generated.get("typescript/exec-server.v0.d.ts");
  for (const [name, { description }] of Object.entries(properties)) {
    expect(declared).toContain(`  /** ${description} */\n  ${name}:`);
  }
});

test("seed B3: the texts speak of the entry itself, not of what it leads to", () => {
  const properties = entrySchema()["properties"] as Record<string, { description: string }>;
  expect(properties).toMatchObject({
    isDirectory: {
      description: "The entry itself is a directory; a link to a directory is not.",
    },
    isFile: { description: "The entry itself is a regular file; a link to a file is not." },
    isSymlink: { description: "The entry is a symbolic link, whatever it leads to." },
  });
});

test("seed B2: every field of every wire type is described", () => {
  const bare = dialects.flatMap((dialect) =>
    Object.entries(jsonSchemas(dialect, (name) => name)).flatMap(([type, schema]) =>
      Object.entries(schema.properties ?? {})
        .filter(
          ([, field]) => typeof field === "object" && !("description" in field || "$ref" in field),
        )
        .map(([field]) => `${type}.${field}`),
    ),
  );
  expect(bare).toEqual([]);
});

function filesOf(dialect: (typeof dialects)[number]): [string, string][] {
  const { protocolVersion } = dialect;
  const schemas = Object.entries(jsonSchemas(dialect, (name) => `./${name}.json`));
  return [
    [`json/${protocolVersion}.json`, asText(bundle(dialect))],
    ...schemas.map(([name, schema]): [string, string] => [
      `json/${protocolVersion}/${name}.json`,
      asText(schema),
    ]),
    [
      `typescript/${protocolVersion}.d.ts`,
      declarations(`The wire types of ${protocolVersion}`, dialect.types),
    ],
  ];
}

function filesOfEvents(): [string, string][] {
  const title = "The events of a thread";
  const types = threadEventSchemas;
  return [
    ["json/thread-event.json", asText(document(title, types, "ThreadEvent"))],
    ["typescript/thread-event.d.ts", declarations(title, types)],
  ];
}

function entrySchema(): z.core.JSONSchema.JSONSchema {
  return parsed("json/exec-server.v0/FsReadDirectoryEntry.json");
}

function bundledEntrySchema(): z.core.JSONSchema.JSONSchema {
  const { $defs } = parsed("json/exec-server.v0.json");
  return $defs?.["FsReadDirectoryEntry"] as z.core.JSONSchema.JSONSchema;
}

function parsed(path: string): z.core.JSONSchema.JSONSchema {
  return JSON.parse(generated.get(path) ?? "") as z.core.JSONSchema.JSONSchema;
}

function asText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
