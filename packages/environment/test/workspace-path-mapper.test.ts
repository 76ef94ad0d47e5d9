import { createWorkspacePathMapper } from "@codex/environment";
import { toAbsolutePath } from "@codex/protocol";
import { describe, expect, test } from "vitest";

const path = toAbsolutePath;

describe("createWorkspacePathMapper", () => {
  const seed = createWorkspacePathMapper({
    local: [path("/Users/starr/code/codex")],
    environment: [path("/home/dev-user/codex")],
  });

  test("D1: a path under the local root is rebased onto the environment's, and back", () => {
    const local = path("/Users/starr/code/codex/codex-rs/core/src/lib.rs");
    const there = path("/home/dev-user/codex/codex-rs/core/src/lib.rs");
    expect([seed.toEnvironment(local), seed.toLocal(there)]).toEqual([there, local]);
  });

  test("D2: a path outside is returned unchanged, both ways", () => {
    const outside = path("/tmp/outside.txt");
    expect([seed.toEnvironment(outside), seed.toLocal(outside)]).toEqual([outside, outside]);
  });

  test.each([
    ["the root itself", "/w1", "/remote"],
    ["the root with a trailing slash", "/w1/", "/remote"],
    ["a sibling with the same prefix", "/w1x/file", "/w1x/file"],
    ["a path with `..` that leaves", "/w1/../etc/passwd", "/etc/passwd"],
    ["a path with `..` that enters", "/etc/../w1/file", "/remote/file"],
    ["a path with `.` and empty segments", "/w1/./a//b/", "/remote/a/b"],
    ["the parent of the root", "/", "/"],
    ["a name that looks absolute below the root", "/w1/%2F/~", "/remote/%2F/~"],
  ])("D3: containment goes by whole segments of a normalised path: %s", (_, local, expected) => {
    const mapper = createWorkspacePathMapper({
      local: [path("/w1")],
      environment: [path("/remote")],
    });
    expect(mapper.toEnvironment(path(local))).toBe(expected);
  });

  test.each([
    ["environment inside local", "/w", "/w/remote"],
    ["local inside environment", "/srv/app/main", "/srv/app"],
    ["both the same", "/w", "/w"],
    ["local is the file system's root", "/", "/box"],
    ["environment is the file system's root", "/box", "/"],
  ])("nested roots: the local root leads to the environment's root: %s", (_, local, there) => {
    const mapper = createWorkspacePathMapper({ local: [path(local)], environment: [path(there)] });
    expect(mapper.toEnvironment(path(local))).toBe(there);
    expect(mapper.toEnvironment(path(`${local}/file`))).toBe(path(`${there}/file`));
    expect(mapper.toLocal(path(there))).toBe(local);
  });

  test("D6: a path in the environment's spelling, as a listing gives it, stays as it is", () => {
    const mapper = createWorkspacePathMapper({
      local: [path("/w")],
      environment: [path("/w/remote")],
    });
    const once = mapper.toEnvironment(path("/w/src/file"));
    expect([once, mapper.toEnvironment(once)]).toEqual([
      "/w/remote/src/file",
      "/w/remote/src/file",
    ]);
  });

  test("a root that links give several spellings is known under all, and shown as the first", () => {
    const mapper = createWorkspacePathMapper({
      local: [path("/home/me/link"), path("/data/real")],
      environment: [path("/workspace"), path("/mnt/volume")],
    });
    expect(
      ["/home/me/link/a", "/data/real/a"].map((one) => mapper.toEnvironment(path(one))),
    ).toEqual(["/workspace/a", "/workspace/a"]);
    expect(["/workspace/a", "/mnt/volume/a"].map((one) => mapper.toLocal(path(one)))).toEqual([
      "/home/me/link/a",
      "/home/me/link/a",
    ]);
    expect(mapper.toEnvironment(path("/mnt/volume/a"))).toBe("/mnt/volume/a");
  });
});
