import { createLocalEnvironment, exactEnvironment } from "@codex/environment";
import { fullAccess, toAbsolutePath } from "@codex/protocol";
import { temporaryDirectory } from "@codex/test-support";
import { spawnSync } from "node:child_process";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createGrepFilesTool } from "../../src/tools/grep-files.ts";
import { runTool } from "./run-tool.ts";

const hasRipgrep = spawnSync("rg", ["--version"]).status === 0;
if (!hasRipgrep) console.log("skipped: grep_files with the real ripgrep, there is none on PATH");

test.skipIf(!hasRipgrep)("tools.md 11: the real ripgrep, last modified first", async () => {
  await using directory = await temporaryDirectory();
  const cwd = toAbsolutePath(directory.path);
  await mkdir(`${cwd}/sub`);
  for (const [index, name] of ["old.ts", "sub/new.ts", "mid.md"].entries()) {
    await writeFile(`${cwd}/${name}`, "a -needle here\n");
    await utimes(`${cwd}/${name}`, 0, 1_700_000_000 + [1, 3, 2][index]!);
  }
  await writeFile(`${cwd}/other.ts`, "hay\n");
  await using environment = createLocalEnvironment({ cwd, variables: process.env });
  const tool = createGrepFilesTool({
    environment,
    cwd,
    env: exactEnvironment({ PATH: process.env["PATH"] ?? "" }),
    sandbox: fullAccess,
  });
  const outputs = async (args: object) => (await runTool(tool, args)).output;
  expect(await outputs({ pattern: "-needle" })).toBe(
    [`${cwd}/sub/new.ts`, `${cwd}/mid.md`, `${cwd}/old.ts`].join("\n"),
  );
  expect(await outputs({ pattern: "-needle", include: "*.ts", limit: 1 })).toBe(
    `${cwd}/sub/new.ts`,
  );
  expect(await outputs({ pattern: "-needle", path: "sub" })).toBe(`${cwd}/sub/new.ts`);
  expect(await outputs({ pattern: "nowhere" })).toBe("No matches found.");
  expect(await outputs({ pattern: "(" })).toMatch(/^rg failed: (.|\n)*unclosed group/);
});
