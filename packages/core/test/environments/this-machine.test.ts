import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** Names by which a file can reach this machine's disk or processes. */
const reaches = /from "node:(fs|fs\/promises|child_process)"|createLocal(Environment|FileSystem)\b/;

test("note 74 names every file of core and the app that touches this machine's disk or processes, and no other", async () => {
  const found = (
    await Promise.all(["packages/core/src", "apps/cli/src"].map((folder) => filesIn(folder)))
  ).flat();
  const note = await readFile(
    join(root, "docs/decisions/0074-what-touches-this-machine.md"),
    "utf8",
  );
  const named = [...note.matchAll(/`([\w-]+(?:\/[\w-]+)*\.ts)`/g)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set(found));
});

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".ts"));
  const reaching = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = `${parentPath}/${name}`;
      const isReaching = reaches.test(await readFile(path, "utf8"));
      return isReaching ? [relative(join(root, folder), path)] : [];
    }),
  );
  return reaching.flat();
}
