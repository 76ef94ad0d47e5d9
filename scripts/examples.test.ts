import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { missingForSsh, startSshServer } from "../packages/test-support/src/ssh-server.ts";
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

test("examples/remote-process.ts: output and exit code of a program behind an exec-server", async () => {
  const { code, stdout, stderr } = await project.run("remote-process.ts");
  // Two pipes have no order between them; each keeps its own, in pieces of any size.
  const lines = stdout.replaceAll("stdout: ", "").trimEnd().split("\n");
  expect({ code, stderr, last: lines.at(-1) }).toEqual({ code: 0, stderr: "", last: "exit 3" });
  expect(lines.filter((line) => line.startsWith("line"))).toEqual(["line 1", "line 2", "line 3"]);
  expect(lines).toContain("stderr: oops");
});

const missing = missingForSsh();
if (missing !== undefined) console.log(`skipped: examples/ssh-executor.ts: ${missing}`);

test.skipIf(missing !== undefined)(
  "examples/ssh-executor.ts: the agent here, its command behind a real sshd",
  async () => {
    const there = join(project.path, "there");
    await mkdir(there);
    await writeFile(join(there, "where.txt"), "on the far side\n");
    const bin = join(project.path, "node_modules/.bin");
    const path = `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`;
    await using sshd = await startSshServer({ path });
    const args = ["root@127.0.0.1", there, ...sshd.options];
    expect(await project.run("ssh-executor.ts", args)).toEqual(
      printed(`${there}\non the far side\n`),
    );
  },
);

function printed(stdout: string) {
  return { code: 0, stdout, stderr: "" };
}
