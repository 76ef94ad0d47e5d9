import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOutsideProject, type OutsideProject } from "./outside-project.ts";

const folder = fileURLToPath(new URL("../examples/", import.meta.url));
const names = (await readdir(folder)).filter((name) => name.endsWith(".ts"));
const sources = Object.fromEntries(
  await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), "utf8")])),
) as Record<string, string>;

let project: OutsideProject;

beforeAll(async () => {
  project = await createOutsideProject();
  await project.compile(sources);
}, 60_000);
afterAll(() => project[Symbol.asyncDispose]());

test.each(names)("examples/%s is shorter than 60 lines", (name) => {
  expect(sources[name]?.split("\n").length).toBeLessThan(60);
});

test("examples/own-tool.ts: the model calls a tool of the program's own", async () => {
  expect(await project.run("own-tool.ts")).toEqual(printed("It costs 3 cents.\n"));
});

test("examples/in-memory-environment.ts: the agent reads a file that is on no disk", async () => {
  expect(await project.run("in-memory-environment.ts")).toEqual(printed("You wanted milk.\n"));
});

function printed(stdout: string) {
  return { code: 0, stdout, stderr: "" };
}
