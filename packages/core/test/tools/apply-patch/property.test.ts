import { computeUpdate } from "../../../src/tools/apply-patch/compute.ts";
import { parsePatch } from "../../../src/tools/apply-patch/parse.ts";
import { expect, test } from "vitest";
import { buildPatch, editedFile, randomFile, randomScript, seeded } from "./random-edits.ts";

test("the patch built from the difference yields the edited file, every other byte kept", () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const random = seeded(seed);
    const file = randomFile(random);
    const script = randomScript(file, random);
    const patch = buildPatch(file, script, random);
    const [hunk] = parsePatch(patch);
    if (hunk?.type !== "update") throw new Error(`seed ${seed}: no update in ${patch}`);
    const before = Buffer.from(file.map(({ bytes }) => bytes).join(""), "latin1");
    const after = Buffer.from(computeUpdate("/f", before, hunk.chunks)).toString("latin1");
    expect(after, `seed ${seed}\n${patch}`).toBe(editedFile(file, script));
  }
});
