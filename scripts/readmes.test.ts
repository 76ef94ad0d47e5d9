import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fencedBlocks } from "./markdown.ts";
import { createOutsideProject, type OutsideProject, packageNames } from "./outside-project.ts";

const documents = [...packageNames.map((name) => `packages/${name}/README.md`), "docs/library.md"];
const blocks = new Map(
  await Promise.all(
    documents.map(async (name) => {
      const text = await readFile(new URL(`../${name}`, import.meta.url), "utf8");
      return [name, fencedBlocks(text)] as const;
    }),
  ),
);

let project: OutsideProject;

beforeAll(async () => {
  project = await createOutsideProject();
  const files = documents.map((name) => [programOf(name), `${example(name)}\nexport {};\n`]);
  await project.compile(Object.fromEntries(files));
}, 60_000);
afterAll(() => project[Symbol.asyncDispose]());

test.each(documents)("%s: the example does what is said", async (name) => {
  const promised = blocks.get(name)?.find(({ info }) => info === "text")?.text;
  const { code, stdout, stderr } = await project.run(programOf(name));
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  if (promised === undefined) expect(stdout).not.toBe("");
  else expect(stdout).toBe(promised);
});

function example(name: string): string {
  const examples = blocks.get(name)?.filter(({ info }) => info === "ts") ?? [];
  if (examples.length !== 1) throw new Error(`${name} has ${examples.length} examples`);
  return examples[0]?.text ?? "";
}

function programOf(document: string): string {
  return `${document.replaceAll(/\W/g, "-")}.ts`;
}
