import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SandboxIntent } from "@codex/protocol";
import { resolveWritableRoots } from "../src/index.ts";

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "roots-")));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

function workspaceWrite(...writableRoots: string[]): SandboxIntent {
  return {
    mode: "workspace-write",
    writableRoots,
    includeSlashTmp: false,
    includeTmpdir: false,
    networkAccess: false,
  };
}

const nowhere = { tmpdir: undefined };

test("what is there is protected, what is missing is covered", () => {
  const root = folder();
  mkdirSync(join(root, ".git"));
  expect(resolveWritableRoots(workspaceWrite(root), nowhere)).toEqual({
    roots: [
      {
        path: root,
        protectedPaths: [join(root, ".git")],
        missingPaths: [join(root, ".codex"), join(root, ".agents")],
      },
    ],
    refused: [],
  });
});

test("a symlinked root is resolved, a missing one is left out, parents come before children", () => {
  const root = folder();
  mkdirSync(join(root, "deep/inner"), { recursive: true });
  symlinkSync(join(root, "deep"), join(root, "link"));
  const { roots } = resolveWritableRoots(
    workspaceWrite(join(root, "deep/inner"), join(root, "link"), join(root, "nothing")),
    nowhere,
  );
  expect(roots.map((one) => one.path)).toEqual([join(root, "deep"), join(root, "deep/inner")]);
});

test("a worktree's .git file and the folder it names are protected", () => {
  const root = folder();
  mkdirSync(join(root, "main/.git/worktrees/w"), { recursive: true });
  mkdirSync(join(root, "w"));
  writeFileSync(join(root, "w/.git"), "gitdir: ../main/.git/worktrees/w\n");
  const { roots } = resolveWritableRoots(workspaceWrite(join(root, "w")), nowhere);
  expect(roots[0]?.protectedPaths).toEqual([
    join(root, "w/.git"),
    join(root, "main/.git/worktrees/w"),
  ]);
});

test("a root whose .git is a symbolic link is not writable, since the link could be replaced", () => {
  const root = folder();
  mkdirSync(join(root, "elsewhere"));
  mkdirSync(join(root, "ws"));
  symlinkSync(join(root, "elsewhere"), join(root, "ws/.git"));
  expect(resolveWritableRoots(workspaceWrite(join(root, "ws")), nowhere)).toEqual({
    roots: [],
    refused: [
      {
        path: join(root, "ws"),
        reason: `${join(root, "ws/.git")} is a symbolic link, which could be replaced`,
      },
    ],
  });
});

test(".git that is itself a writable root is not protected", () => {
  const root = folder();
  mkdirSync(join(root, ".git"));
  const { roots } = resolveWritableRoots(workspaceWrite(root, join(root, ".git")), nowhere);
  expect(roots.map(({ path, protectedPaths }) => [path, protectedPaths])).toEqual([
    [root, []],
    [join(root, ".git"), []],
  ]);
});

test("scratch folders are roots when included, and nothing missing is made in them", () => {
  const scratch = folder();
  const intent: SandboxIntent = {
    mode: "workspace-write",
    writableRoots: [],
    includeSlashTmp: false,
    includeTmpdir: true,
    networkAccess: false,
  };
  expect(resolveWritableRoots(intent, { tmpdir: scratch }).roots).toEqual([
    { path: scratch, protectedPaths: [], missingPaths: [] },
  ]);
});
