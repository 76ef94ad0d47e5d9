import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Leftovers } from "../src/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

test("a cover is made for what is missing and goes with its last user; what was filled stays", () => {
  const root = temporaryFolder();
  const [missing, filled] = [join(root, ".git"), join(root, ".codex")];
  const leftovers = new Leftovers();
  const first = leftovers.hold([missing, filled]);
  const second = leftovers.hold([missing]);
  expect([[...first.paths], [...second.paths]]).toEqual([[missing, filled], [missing]]);
  writeFileSync(join(filled, "mine"), "");
  first.release();
  first.release();
  expect([missing, filled].map((path) => existsSync(path))).toEqual([true, true]);
  second.release();
  expect([missing, filled].map((path) => existsSync(path))).toEqual([false, true]);
});

test("what is there is nobody's to remove, and what cannot be made needs no cover", () => {
  const root = temporaryFolder();
  const [there, impossible] = [join(root, ".git"), join(root, "file/.git")];
  mkdirSync(there);
  writeFileSync(join(root, "file"), "");
  const { paths, release } = new Leftovers().hold([there, impossible]);
  release();
  expect([[...paths], existsSync(there)]).toEqual([[], true]);
});

test("a cover counts as not there, so that the next sandbox covers and keeps it too", () => {
  const root = temporaryFolder();
  const [missing, there] = [join(root, ".codex"), join(root, ".git")];
  mkdirSync(there);
  const leftovers = new Leftovers();
  const { release } = leftovers.hold([missing]);
  expect([leftovers.isThere(missing), leftovers.isThere(there)]).toEqual([false, true]);
  release();
  expect(leftovers.isThere(missing)).toBe(false);
});
