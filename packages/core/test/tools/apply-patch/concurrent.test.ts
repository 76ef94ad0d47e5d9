import { createLocalFileSystem } from "@codex/environment";
import { fullAccess, toAbsolutePath } from "@codex/protocol";
import { temporaryDirectory } from "@codex/test-support";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createApplyPatchTool } from "../../../src/tools/apply-patch/tool.ts";
import { runTool } from "../run-tool.ts";
import { patchOf } from "./patch-world.ts";

test("two patches at the same time: every file is whole, as one of them left it", async () => {
  await using directory = await temporaryDirectory();
  const options = {
    fileSystem: createLocalFileSystem(),
    cwd: toAbsolutePath(directory.path),
    sandbox: fullAccess,
    now: () => 0,
  };
  const names = ["a", "b", "c", "d"];
  const large = "kept\n".repeat(50_000);
  await Promise.all(names.map((name) => writeFile(`${directory.path}/${name}`, `old\n${large}`)));
  const patchTo = (text: string) =>
    patchOf(...names.flatMap((name) => [`*** Update File: ${name}`, "@@", "-old", `+${text}`]));
  const runs = ["one", "two"].map((text) =>
    runTool(createApplyPatchTool("freeform", options), patchTo(text)),
  );
  const outputs = (await Promise.all(runs)).map(({ output }) => output as string);
  expect(outputs.filter((output) => output.startsWith("Exit code: 0\n")).length).toBeGreaterThan(0);
  for (const name of names) {
    const [first, ...rest] = (await readFile(`${directory.path}/${name}`, "utf8")).split("\n");
    expect(["one", "two"]).toContain(first);
    expect(rest.join("\n")).toBe(large);
  }
  expect((await readdir(directory.path)).toSorted()).toEqual(names);
});
