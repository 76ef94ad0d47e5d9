import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Leftovers } from "../src/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

test("a mount point that was left behind goes with its last user; what was there or was filled stays", () => {
  const root = temporaryFolder();
  const [missing, filled, there] = [".git", ".codex", ".agents"].map((name) =>
    join(root, name),
  ) as [string, string, string];
  mkdirSync(there);
  const leftovers = new Leftovers();
  const first = leftovers.hold([missing, filled, there]);
  mkdirSync(missing);
  mkdirSync(filled);
  const second = leftovers.hold([missing]);
  writeFileSync(join(filled, "mine"), "");
  first();
  first();
  expect([missing, filled, there].map((path) => existsSync(path))).toEqual([true, true, true]);
  second();
  expect([missing, filled, there].map((path) => existsSync(path))).toEqual([false, true, true]);
});

test("a mount point of a running sandbox counts as not there, so that the next one covers and keeps it too", () => {
  const root = temporaryFolder();
  const [missing, there] = [join(root, ".codex"), join(root, ".git")];
  mkdirSync(there);
  const leftovers = new Leftovers();
  const release = leftovers.hold([missing]);
  mkdirSync(missing);
  expect([leftovers.isThere(missing), leftovers.isThere(there)]).toEqual([false, true]);
  release();
  expect(leftovers.isThere(missing)).toBe(false);
});
