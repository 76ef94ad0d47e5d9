import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fencedBlocks } from "./markdown.ts";
import { createOutsideProject, type OutsideProject, packageNames } from "./outside-project.ts";

const blocks = new Map(
  await Promise.all(
    packageNames.map(async (name) => {
      const file = new URL(`../packages/${name}/README.md`, import.meta.url);
      return [name, fencedBlocks(await readFile(file, "utf8"))] as const;
    }),
  ),
);

let project: OutsideProject;

beforeAll(async () => {
  project = await createOutsideProject();
  const files = packageNames.map((name) => [`${name}.ts`, `${example(name)}\nexport {};\n`]);
  await project.compile(Object.fromEntries(files));
}, 60_000);
afterAll(() => project[Symbol.asyncDispose]());

test.each(packageNames)("packages/%s/README.md: the example does what is said", async (name) => {
  const promised = blocks.get(name)?.find(({ info }) => info === "text")?.text;
  const { code, stdout, stderr } = await project.run(`${name}.ts`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  if (promised === undefined) expect(stdout).not.toBe("");
  else expect(stdout).toBe(promised);
});

function example(name: (typeof packageNames)[number]): string {
  const examples = blocks.get(name)?.filter(({ info }) => info === "ts") ?? [];
  if (examples.length !== 1)
    throw new Error(`the README of ${name} has ${examples.length} examples`);
  return examples[0]?.text ?? "";
}
