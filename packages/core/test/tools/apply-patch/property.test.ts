import { type FileSystem, FileSystemError } from "@codex/environment";
import { fullAccess, joinPath } from "@codex/protocol";
import { describe, expect, test } from "vitest";
import { computeUpdate } from "../../../src/tools/apply-patch/compute.ts";
import { parsePatch } from "../../../src/tools/apply-patch/parse.ts";
import { createApplyPatchTool } from "../../../src/tools/apply-patch/tool.ts";
import { runTool } from "../run-tool.ts";
import { filesBelow, patchOf } from "./patch-world.ts";
import { buildChunk, editedFile, randomFile, randomScript, seeded } from "./random-edits.ts";
import { diskWorld, executorWorld, memoryWorld, type World } from "./worlds.ts";

/** A file, a chunk that changes it, and the file a person would have changed it to. */
function randomEdit(random: () => number) {
  const file = randomFile(random);
  const script = randomScript(file, random);
  return {
    before: Buffer.from(file.map(({ bytes }) => bytes).join(""), "latin1"),
    chunk: buildChunk(file, script, random),
    after: editedFile(file, script),
  };
}

test("the chunk built from the difference yields the edited file, every other byte kept", () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const { before, chunk, after } = randomEdit(seeded(seed));
    const [hunk] = parsePatch(patchOf("*** Update File: f", ...chunk));
    if (hunk?.type !== "update") throw new Error(`seed ${seed}: no update`);
    const computed = Buffer.from(computeUpdate("/f", before, hunk.chunks)).toString("latin1");
    expect(computed, `seed ${seed}\n${chunk.join("\n")}`).toBe(after);
  }
});

/** Files, the lines of a patch that updates, moves, deletes and adds some of them, and the files after it. */
function randomPatch(random: () => number) {
  const before: Record<string, Uint8Array> = {};
  const after: Record<string, string> = {};
  const lines: string[] = [];
  for (const name of ["a", "b/c", "b/d", "e"]) {
    const edit = randomEdit(random);
    before[name] = edit.before;
    const choice = Math.floor(random() * 4);
    const moved = `moved/${name}`;
    if (choice === 0) after[name] = edit.before.toString("latin1");
    if (choice === 1) lines.push(`*** Delete File: ${name}`);
    if (choice >= 2) lines.push(`*** Update File: ${name}`);
    if (choice === 3) lines.push(`*** Move to: ${moved}`);
    if (choice >= 2) {
      lines.push(...edit.chunk);
      after[choice === 3 ? moved : name] = edit.after;
    }
  }
  after["new/file"] = "added\n";
  return { before, after, lines: [...lines, "*** Add File: new/file", "+added"] };
}

describe.each([
  ["in memory", memoryWorld],
  ["on a disk", diskWorld],
  ["on an executor", executorWorld],
])("%s", (_, open) => {
  test("random patches of several files leave exactly the files they should", async () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      await using world = await open();
      const { fileSystem, root: cwd } = world;
      const { before, after, lines } = randomPatch(seeded(seed));
      await writeAll(world, before);
      const options = { fileSystem, cwd, sandbox: fullAccess, now: () => 0 };
      const run = await runTool(createApplyPatchTool("freeform", options), patchOf(...lines));
      expect(run.output, `seed ${seed}`).toMatch(/^Exit code: 0\n/);
      expect(await filesBelow(fileSystem, cwd), `seed ${seed}`).toEqual(after);
    }
  });

  test("a random patch whose last write fails names every file, and the states are true", async () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      await using world = await open();
      const { fileSystem: near, root: cwd } = world;
      const { before, lines } = randomPatch(seeded(seed));
      await writeAll(world, before);
      const fileSystem: FileSystem = {
        ...near,
        writeFile: (path, ...rest) =>
          path.endsWith("/new/file")
            ? Promise.reject(
                new FileSystemError("other", path, "No space left on device (os error 28)"),
              )
            : near.writeFile(path, ...rest),
      };
      const options = { fileSystem, cwd, sandbox: fullAccess, now: () => 0 };
      const run = await runTool(createApplyPatchTool("freeform", options), patchOf(...lines));
      const [, , , reason, title, ...states] = (run.output as string).trimEnd().split("\n");
      expect([reason, title], `seed ${seed}`).toEqual([
        `Failed to write file ${cwd}/new/file: No space left on device (os error 28)`,
        "The files now:",
      ]);
      expect(states.filter((line) => !/: as before(, put back)?$/.test(line))).toEqual([]);
      const latin1 = Object.entries(before).map(([name, bytes]) => [
        name,
        Buffer.from(bytes).toString("latin1"),
      ]);
      expect(await filesBelow(fileSystem, cwd), `seed ${seed}`).toEqual(Object.fromEntries(latin1));
    }
  });
});

async function writeAll(
  { fileSystem, root }: World,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<void> {
  for (const [name, bytes] of Object.entries(files)) {
    await fileSystem.createDirectory(joinPath(root, `${name}/..`));
    await fileSystem.writeFile(joinPath(root, name), bytes);
  }
}
