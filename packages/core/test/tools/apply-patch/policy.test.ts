import { osError } from "@codex/environment";
import { type SandboxIntent, toAbsolutePath } from "@codex/protocol";
import { describe, expect, test } from "vitest";
import { cwd, patchWorld } from "./patch-world.ts";

const readOnly: SandboxIntent = { mode: "read-only", networkAccess: false };
const workspace: SandboxIntent = {
  mode: "workspace-write",
  writableRoots: [cwd],
  includeSlashTmp: true,
  includeTmpdir: true,
  networkAccess: false,
};
const outside =
  "patch rejected: writing outside of the project; rejected by user approval settings";

test("exec-cli.md 4: read-only refuses every patch that fits, without an item", async () => {
  const world = patchWorld({ f: "a\n" }, { sandbox: readOnly });
  expect(await world.apply("*** Update File: f", "-a", "+b")).toEqual({
    output:
      "patch rejected: writing is blocked by read-only sandbox; rejected by user approval settings",
    items: [],
  });
  expect((await world.apply("*** Update File: f", "-none")).output).toMatch(/^apply_patch verif/);
});

describe("exec-cli.md 4: workspace-write", () => {
  const temporary = toAbsolutePath("/var/tmp/mine");
  test.each([
    ["../outside.txt", outside],
    ["/etc/passwd.new", outside],
    [".git/hooks/x", outside],
    ["../w/.git/config", outside],
    ["/wx/f", outside],
    ["sub/f", undefined],
    ["/w/../w/f", undefined],
    ["/tmp/f", undefined],
    ["/var/tmp/mine/f", undefined],
    [".gitignore", undefined],
    ["sub/.git/x", undefined],
  ])("%s", async (path, refusal) => {
    const options = { sandbox: workspace, temporaryDirectory: temporary };
    const world = patchWorld({ "../tmp/": "", "../var/tmp/mine/": "" }, options);
    const run = await world.apply(`*** Add File: ${path}`, "+x");
    expect(run.output).toBe(
      refusal ??
        `Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nA ${path}\n`,
    );
    expect(run.items).toHaveLength(refusal === undefined ? 2 : 0);
  });

  test("a move out of the project changes nothing", async () => {
    const world = patchWorld({ f: "a\n" }, { sandbox: workspace });
    const run = await world.apply("*** Update File: f", "*** Move to: ../g", "-a", "+b");
    expect(run).toEqual({ output: outside, items: [] });
    expect(await world.files()).toEqual({ f: "a\n" });
  });

  test("another spelling of the project, through a link, is inside", async () => {
    const world = patchWorld({ f: "a\n" }, { sandbox: workspace });
    await world.memory.makeSymlink("/w", toAbsolutePath("/link"));
    await world.apply("*** Update File: /link/f", "-a", "+b", "*** Add File: /link/new/g", "+g");
    expect(await world.files()).toEqual({ f: "b\n", "new/g": "g\n" });
  });

  test("what the side that writes refuses is told alike, and the rest put back", async () => {
    const world = patchWorld({ f: "a\n" }, { sandbox: workspace });
    await world.memory.makeSymlink("/etc", toAbsolutePath("/w/sneaky"));
    await world.memory.createDirectory(toAbsolutePath("/etc"));
    const run = await world.apply("*** Update File: f", "-a", "+b", "*** Add File: sneaky/g", "+g");
    expect(run.output).toBe(`Exit code: 1\nWall time: 0 seconds\nOutput:\n${outside}`);
    expect(run.items.at(-1)).toMatchObject(["completed", { status: "failed" }]);
    expect(await world.files()).toEqual({ f: "a\n" });
    await expect(world.memory.readFile(toAbsolutePath("/etc/g"))).rejects.toEqual(
      osError("ENOENT", "/etc/g"),
    );
  });
});
