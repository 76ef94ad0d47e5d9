import { toAbsolutePath } from "@codex/protocol";
import { expect, test } from "vitest";
import { mountsFor } from "../src/index.ts";

const path = toAbsolutePath;

test("parents come before children, whatever they are, so that the deepest decides", () => {
  const rules = {
    writableRoots: [path("/w/.git/hooks"), path("/w"), path("/data")],
    protectedPaths: [path("/w/.git"), path("/data/tree/.git"), path("/w/.codex")],
  };
  const mounts = mountsFor(rules, (at) => at !== path("/w/.codex"));
  expect(mounts.map((mount) => `${mount.access} ${mount.path}`)).toEqual([
    "write /w",
    "write /data",
    "read /w/.git",
    "nothing /w/.codex",
    "write /w/.git/hooks",
    "read /data/tree/.git",
  ]);
});

test("of a missing path in missing folders the topmost is covered, once", () => {
  const rules = {
    writableRoots: [path("/w")],
    protectedPaths: [path("/w/a/b/c"), path("/w/a/d")],
  };
  expect(mountsFor(rules, (at) => at === "/w")).toEqual([
    { path: "/w", access: "write" },
    { path: "/w/a", access: "nothing" },
  ]);
});
