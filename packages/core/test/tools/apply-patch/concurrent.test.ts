import { joinPath, fullAccess } from "@codex/protocol";
import { expect, test } from "vitest";
import { createApplyPatchTool } from "../../../src/tools/apply-patch/tool.ts";
import { runTool } from "../run-tool.ts";
import { filesBelow, patchOf } from "./patch-world.ts";
import { diskWorld, executorWorld } from "./worlds.ts";

test.each([
  ["on a disk", diskWorld],
  ["on an executor", executorWorld],
])(
  "two patches at the same time %s: every file is whole, as one of them left it",
  async (_, open) => {
    await using world = await open();
    const { fileSystem, root } = world;
    const options = { fileSystem, cwd: root, sandbox: fullAccess, now: () => 0 };
    const names = ["a", "b", "c", "d"];
    const large = "kept\n".repeat(50_000);
    for (const name of names)
      await fileSystem.writeFile(joinPath(root, name), Buffer.from(`old\n${large}`));
    const patchTo = (text: string) =>
      patchOf(...names.flatMap((name) => [`*** Update File: ${name}`, "@@", "-old", `+${text}`]));
    const runs = ["one", "two"].map((text) =>
      runTool(createApplyPatchTool("freeform", options), patchTo(text)),
    );
    const outputs = (await Promise.all(runs)).map(({ output }) => output as string);
    expect(outputs.filter((output) => output.startsWith("Exit code: 0\n")).length).toBeGreaterThan(
      0,
    );
    const files = await filesBelow(fileSystem, root);
    expect(Object.keys(files).toSorted()).toEqual(names);
    for (const text of Object.values(files)) {
      const end = text.indexOf("\n");
      expect(["one", "two"]).toContain(text.slice(0, end));
      expect(text.slice(end + 1) === large).toBe(true);
    }
  },
);
