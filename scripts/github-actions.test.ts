import { execFileSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codex-actions-"));
  await mkdir(join(folder, "bin"));
  await symlink(join(root, "apps/cli/bin/codex.js"), join(folder, "bin/codex"));
  await mkdir(join(folder, "checkout/.github"), { recursive: true });
  await copyFile(
    join(root, "examples/review.replay.jsonl"),
    join(folder, "checkout/.github/review.replay.jsonl"),
  );
  await writeFile(join(folder, "summary"), "");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("examples/github-actions.yml: the agent's steps, run as the runner runs them, fill the summary", async () => {
  const workflow = await readFile(join(root, "examples/github-actions.yml"), "utf8");
  const [install, ask, show, ...more] = runSteps(workflow);
  expect({ install, more }).toEqual({ install: "npm install --global @codex/cli", more: [] });
  bash("git init -q . && git add . && git -c user.name=n -c user.email=e@e commit -qm 'Mend it'");
  bash(ask ?? "");
  bash(show ?? "");
  expect(await readFile(join(folder, "summary"), "utf8")).toBe("The last commit says: Mend it");
  const events = await readFile(join(folder, "checkout/events.jsonl"), "utf8");
  expect(events.trim().split("\n").at(-1)).toContain('"type":"turn.completed"');
});

/** The `run` of every step: one line, or a block of lines. */
function runSteps(workflow: string): string[] {
  const found = workflow.matchAll(/^( +)(?:- )?run: (?:\|\n((?:\1  .*\n)+)|(.+)\n)/gm);
  return Array.from(found, ([, indent = "", block, line]) =>
    block === undefined ? (line ?? "") : block.replaceAll(`\n${indent}  `, "\n").trim(),
  );
}

function bash(script: string): void {
  execFileSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
    cwd: join(folder, "checkout"),
    env: {
      PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
      HOME: folder,
      CODEX_HOME: folder,
      GITHUB_STEP_SUMMARY: join(folder, "summary"),
    },
    stdio: "pipe",
    timeout: 15_000,
  });
}
