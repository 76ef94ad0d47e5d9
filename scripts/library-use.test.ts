import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOutsideProject, type OutsideProject } from "./outside-project.ts";

const folder = fileURLToPath(new URL("library-use/", import.meta.url));
let project: OutsideProject;

beforeAll(async () => {
  project = await createOutsideProject();
  const names = await readdir(folder);
  const texts = names.map(async (name) => [name, await readFile(join(folder, name), "utf8")]);
  await project.compile(Object.fromEntries(await Promise.all(texts)));
}, 60_000);
afterAll(() => project[Symbol.asyncDispose]());

test("a library user aborts before the start, while the model speaks, in a command here and there, in a call that gets no answer", async () => {
  expect(await linesOf("abort.ts")).toEqual([
    "before the start: throws Error: not now",
    "while the model speaks: turn.failed (interrupted)",
    "while a command runs here: turn.failed (interrupted)",
    "while a command runs there: turn.failed (interrupted)",
    "while a call waits for a machine that does not answer: turn.failed (interrupted)",
  ]);
});

test("a library user leaves the loop early and disposes twice, here and there", async () => {
  expect(await linesOf("leave.ts")).toEqual(
    ["here", "there"].flatMap((place) => [
      `breaking out of the loop ${place}: nothing is left`,
      `disposing twice, the second time a closed thread ${place}: completed`,
      `disposing while a turn runs ${place}: turn.failed`,
      `a thread that never ran is disposed ${place}: fine`,
    ]),
  );
});

test("twenty agents at once do not see each other", async () => {
  expect(await linesOf("many.ts")).toEqual(["twenty agents: completed true 1 6"]);
});

/** What a program prints; it must end by itself, with code 0, no unhandled rejection and no listener warning. */
async function linesOf(name: string): Promise<string[]> {
  const { code, stdout, stderr } = await project.run(name);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout, stderr: "" });
  return stdout.trimEnd().split("\n");
}
