import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { dialects } from "./schema/dialects.ts";
import { methodTables } from "./schema/method-tables.ts";

const file = fileURLToPath(new URL("../../../docs/exec-server.md", import.meta.url));
const end = "<!-- end of generated -->";

test("docs/exec-server.md says every method and field as the definitions do", async () => {
  let text = readFileSync(file, "utf8");
  for (const dialect of dialects) text = withTables(text, dialect);
  await expect(text).toMatchFileSnapshot(file);
});

test("every method has a row", () => {
  for (const dialect of dialects) {
    const tables = methodTables(dialect);
    for (const { method } of Object.values(dialect.requests)) {
      expect(tables).toContain(`| \`${method}\` | → `);
    }
  }
});

/** The document with the part between a dialect's two marks made anew. */
function withTables(text: string, dialect: (typeof dialects)[number]): string {
  const mark = `<!-- methods of ${dialect.protocolVersion}: `;
  const from = text.indexOf("\n", text.indexOf(mark));
  const to = text.indexOf(end, from);
  if (!text.includes(mark) || to < 0) throw new Error(`${file} has no place for ${mark}`);
  return `${text.slice(0, from)}\n\n${methodTables(dialect)}\n${text.slice(to)}`;
}
