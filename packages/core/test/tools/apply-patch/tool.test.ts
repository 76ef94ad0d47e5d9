import {
  createLocalFileSystem,
  type FileSystem,
  FileSystemError,
  osError,
} from "@codex/environment";
import { fullAccess, toAbsolutePath } from "@codex/protocol";
import { temporaryDirectory } from "@codex/test-support";
import { chmod, readFile, stat, symlink, writeFile, lstat } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { createApplyPatchTool } from "../../../src/tools/apply-patch/tool.ts";
import { createCountingFileSystem } from "@codex/environment/testing";
import { runTool, type SeenItem } from "../run-tool.ts";
import { patchOf, patchWorld } from "./patch-world.ts";

const success = (...lines: string[]) =>
  `Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n${lines.join("\n")}\n`;

describe("exec-cli.md 4: apply_patch", () => {
  test("add, update, delete: text, items, files", async () => {
    const world = patchWorld({ "m.txt": "m\n", "d.txt": "d\n", "z.txt": "z\n" });
    const run = await world.apply(
      "*** Delete File: z.txt",
      "*** Update File: m.txt",
      "@@",
      "-m",
      "+M",
      "*** Add File: new/a2.txt",
      "+a",
      "*** Delete File: d.txt",
      "*** Add File: /w/a1.txt",
      "+a",
    );
    const changes = [
      { path: "/w/a1.txt", kind: "add" },
      { path: "/w/d.txt", kind: "delete" },
      { path: "/w/m.txt", kind: "update" },
      { path: "/w/new/a2.txt", kind: "add" },
      { path: "/w/z.txt", kind: "delete" },
    ];
    expect(run).toEqual({
      output: success("A new/a2.txt", "A /w/a1.txt", "M m.txt", "D z.txt", "D d.txt"),
      items: [
        ["started", { type: "file_change", changes, status: "in_progress" }],
        ["completed", { type: "file_change", changes, status: "completed" }],
      ],
    });
    expect(await world.files()).toEqual({ "a1.txt": "a\n", "m.txt": "M\n", "new/a2.txt": "a\n" });
  });

  test("a move is an update of the old path, the summary names the new one", async () => {
    const world = patchWorld({ "a.txt": "one\ntwo\n", "deep/b.txt": "old" });
    const move = ["*** Update File: a.txt", "*** Move to: deep/b.txt", "@@", "-one", "+ONE"];
    const run = await world.apply(...move);
    expect(run.output).toBe(success("M deep/b.txt"));
    expect(run.items.at(-1)).toEqual([
      "completed",
      {
        type: "file_change",
        changes: [{ path: "/w/a.txt", kind: "update" }],
        status: "completed",
      },
    ]);
    expect(await world.files()).toEqual({ "deep/b.txt": "ONE\ntwo\n" });
  });

  test.each<[string, string[], Record<string, string>, string]>([
    ["an add over a file", ["*** Add File: f", "+new"], { f: "new\n" }, "A f"],
    ["an empty add", ["*** Add File: e"], { f: "old\n", e: "" }, "A e"],
    [
      "several hunks for one file",
      ["*** Update File: f", "-old", "+mid", "*** Update File: f", "-mid", "+new"],
      { f: "new\n" },
      "M f",
    ],
    [
      "a file added and then updated",
      ["*** Add File: e", "+x", "*** Update File: e", "-x", "+y"],
      { f: "old\n", e: "y\n" },
      "A e\nM e",
    ],
    ["a file moved as it is", ["*** Update File: f", "*** Move to: g"], { g: "old\n" }, "M g"],
    [
      "a file moved onto itself",
      ["*** Update File: f", "*** Move to: f", "-old", "+new"],
      { f: "new\n" },
      "M f",
    ],
    [
      "a file moved and another put in its place",
      ["*** Update File: f", "*** Move to: g", "*** Add File: f", "+x"],
      { g: "old\n", f: "x\n" },
      "A f\nM g",
    ],
  ])("%s", async (_, lines, files, summary) => {
    const world = patchWorld({ f: "old\n" });
    expect((await world.apply(...lines)).output).toBe(success(summary));
    expect(await world.files()).toEqual(files);
  });

  test("seconds have one decimal when there are any", async () => {
    let now = 0;
    const world = patchWorld({}, { now: () => (now += 290) });
    const { output } = await world.apply("*** Add File: a", "+x");
    expect(output).toMatch(/^Exit code: 0\nWall time: 0\.3 seconds\nOutput:\n/);
  });

  test("the item names the environment when it is not this machine", async () => {
    const world = patchWorld({}, { environment: "box" });
    const { items } = await world.apply("*** Add File: a", "+x");
    expect(items.map(([, item]) => item)).toMatchObject([
      { environment: "box" },
      { environment: "box" },
    ]);
  });

  test("the function form takes the same patch", async () => {
    const world = patchWorld({});
    const tool = createApplyPatchTool("function", world.settings);
    const { output } = await runTool(tool, { input: patchOf("*** Add File: a", "+x") });
    expect(output).toBe(success("A a"));
  });
});

describe("exec-cli.md 4: verification fails, nothing is written, no item", () => {
  const missing = "No such file or directory (os error 2)";
  test.each<[string, string[], string]>([
    [
      "a missing file updated",
      ["*** Update File: none", "-a", "+b"],
      `Failed to read file to update /w/none: ${missing}`,
    ],
    ["a missing file deleted", ["*** Delete File: none"], `Failed to read /w/none: ${missing}`],
    [
      "a directory deleted",
      ["*** Delete File: sub"],
      "Failed to read /w/sub: Is a directory (os error 21)",
    ],
    [
      "a directory updated",
      ["*** Update File: sub", "-a"],
      "Failed to read file to update /w/sub: Is a directory (os error 21)",
    ],
    [
      "a directory added",
      ["*** Add File: sub", "+x"],
      "Failed to write file /w/sub: Is a directory (os error 21)",
    ],
    [
      "a file below a file",
      ["*** Add File: f/x", "+x"],
      "Failed to write file /w/f/x: Not a directory (os error 20)",
    ],
    [
      "lines not found",
      ["*** Update File: f", "-absent", "+x"],
      "Failed to find expected lines in /w/f:\nabsent",
    ],
    [
      "a file deleted twice",
      ["*** Delete File: f", "*** Delete File: f"],
      `Failed to read /w/f: ${missing}`,
    ],
    [
      "a file that was moved away",
      ["*** Update File: f", "*** Move to: g", "*** Update File: f", "-old"],
      `Failed to read file to update /w/f: ${missing}`,
    ],
    [
      "the second of two",
      ["*** Add File: p", "+p", "*** Update File: none", "-a", "+b"],
      `Failed to read file to update /w/none: ${missing}`,
    ],
    [
      "no hunk header",
      ["nope"],
      "invalid hunk at line 2, 'nope' is not a valid hunk header. Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'",
    ],
  ])("%s", async (_, lines, reason) => {
    const world = patchWorld({ f: "old\n", "sub/x": "" });
    expect(await world.apply(...lines)).toEqual({
      output: `apply_patch verification failed: ${reason}`,
      items: [],
    });
    expect(await world.files()).toEqual({ f: "old\n", "sub/x": "" });
  });

  test("a patch without hunks, and none at all", async () => {
    const world = patchWorld({});
    expect((await world.apply()).output).toBe("patch rejected: empty patch");
    expect((await world.run("")).output).toBe(
      "apply_patch verification failed: invalid patch: The first line of the patch must be '*** Begin Patch'",
    );
  });
});

test("all files are read in two round trips and written in two", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `f${index}`);
  const seen: (() => { readonly roundTrips: number })[] = [];
  const world = patchWorld(Object.fromEntries(names.map((name) => [name, "a\n"])), {
    wrap: (near) => {
      const counting = createCountingFileSystem(near);
      seen.push(() => counting.count());
      return counting;
    },
  });
  await world.apply(
    ...names.flatMap((name) => [`*** Update File: ${name}`, "-a", "+b"]),
    "*** Add File: new/x",
    "+x",
  );
  expect(seen.map((count) => count().roundTrips)).toEqual([4]);
});

function linesOf(output: unknown): string[] {
  return typeof output === "string" ? output.split("\n") : [];
}

describe("a failure part-way", () => {
  const patch = [
    "*** Update File: a",
    "-a",
    "+A",
    "*** Add File: new",
    "+n",
    "*** Update File: b",
    "-b",
    "+B",
    "*** Delete File: c",
  ];
  const before = { a: "a\n", b: "b\n", c: "c\n" };
  const full = osError("ENOSPC", "/w/b");

  test("puts back what it can and names every file's state", async () => {
    const world = patchWorld(before, {
      wrap: (near) => ({
        ...near,
        writeFile: (path, ...rest) =>
          path === "/w/b" ? Promise.reject(full) : near.writeFile(path, ...rest),
      }),
    });
    const run = await world.apply(...patch);
    expect(run.output).toBe(
      [
        "Exit code: 1",
        "Wall time: 0 seconds",
        "Output:",
        "Failed to write file /w/b: No space left on device (os error 28)",
        "The files now:",
        "/w/a: as before, put back",
        "/w/new: as before, put back",
        "/w/b: as before",
        "/w/c: as before",
        "",
      ].join("\n"),
    );
    expect(run.items.at(-1)).toMatchObject(["completed", { status: "failed" }]);
    expect(await world.files()).toEqual(before);
  });

  test("says what could not be put back", async () => {
    let writes = 0;
    const world = patchWorld(before, {
      wrap: (near) => ({
        ...near,
        remove: () => Promise.reject(osError("EACCES", "/w/c")),
        writeFile: (path, ...rest) =>
          ++writes > 3 ? Promise.reject(full) : near.writeFile(path, ...rest),
      }),
    });
    const { output } = await world.apply(...patch);
    expect(linesOf(output).slice(3, -1)).toEqual([
      "Failed to delete file /w/c: Permission denied (os error 13)",
      "The files now:",
      "/w/a: changed, could not be put back: No space left on device (os error 28)",
      "/w/new: added, could not be put back: Permission denied (os error 13)",
      "/w/b: changed, could not be put back: No space left on device (os error 28)",
      "/w/c: as before",
    ]);
    expect(await world.files()).toEqual({ a: "A\n", new: "n\n", b: "B\n", c: "c\n" });
  });

  test("a lost executor ends the turn, and the item with it", async () => {
    const lost = new FileSystemError("lost", "/w/b", "the executor is gone");
    const world = patchWorld(before, {
      wrap: (near) => ({ ...near, writeFile: () => Promise.reject(lost) }),
    });
    const items: SeenItem[] = [];
    await expect(runTool(world.tool, patchOf(...patch), { items })).rejects.toBe(lost);
    expect(items.map(([when, item]) => [when, "status" in item && item.status])).toEqual([
      ["started", "in_progress"],
      ["completed", "failed"],
    ]);
  });

  test("an abort before the writing begins changes nothing", async () => {
    const world = patchWorld(before);
    const signal = AbortSignal.abort(new Error("stop"));
    await expect(runTool(world.tool, patchOf(...patch), { signal })).rejects.toThrow("stop");
    expect(await world.files()).toEqual(before);
  });
});

describe("a side that can neither replace a file as a whole nor set its mode", () => {
  /** As exec-server.v0: plain writes only, and no modes in what it tells. */
  const plain = (near: FileSystem, failAt?: string): FileSystem => ({
    ...near,
    getMetadata: async (path) => ({ ...(await near.getMetadata(path)), mode: undefined }),
    async writeFile(path, bytes, options = {}) {
      if (options.atomic || options.mode !== undefined)
        throw new FileSystemError("unsupported", path, "not offered");
      const isTooLarge = path === failAt && bytes.length > 3;
      await near.writeFile(path, isTooLarge ? bytes.subarray(0, 1) : bytes);
      if (isTooLarge) throw osError("ENOSPC", path);
    },
  });

  test("is written to in place, and a moved file keeps its mode by way of a copy", async () => {
    const world = patchWorld({ a: "a\n" }, { wrap: plain });
    await world.memory.writeFile(toAbsolutePath("/w/a"), Buffer.from("a\n"), { mode: 0o751 });
    await world.apply("*** Update File: a", "*** Move to: sub/b", "-a", "+b");
    expect(await world.files()).toEqual({ "sub/b": "b\n" });
    expect((await world.memory.getMetadata(toAbsolutePath("/w/sub/b"))).mode).toBe(0o751);
  });

  test("a file left half written is put back too", async () => {
    const world = patchWorld({ a: "aaa", b: "b\n" }, { wrap: (near) => plain(near, "/w/a") });
    const run = await world.apply(
      "*** Update File: a",
      "-aaa",
      "+AAAA",
      "*** Update File: b",
      "-b",
      "+B",
    );
    expect(linesOf(run.output).slice(3, -1)).toEqual([
      "Failed to write file /w/a: No space left on device (os error 28)",
      "The files now:",
      "/w/a: as before, put back",
      "/w/b: as before, put back",
    ]);
    expect(await world.files()).toEqual({ a: "aaa", b: "b\n" });
  });
});

describe("on a real disk", () => {
  async function diskWorld() {
    const directory = await temporaryDirectory();
    const at = (name: string) => `${directory.path}/${name}`;
    const tool = createApplyPatchTool("freeform", {
      fileSystem: createLocalFileSystem(),
      cwd: toAbsolutePath(directory.path),
      sandbox: fullAccess,
      now: () => 0,
    });
    return {
      at,
      apply: (...lines: string[]) => runTool(tool, patchOf(...lines)),
      [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
    };
  }

  test("mode bits stay, also of a moved file", async () => {
    await using world = await diskWorld();
    await writeFile(world.at("run.sh"), "a\n");
    await chmod(world.at("run.sh"), 0o751);
    await world.apply("*** Update File: run.sh", "-a", "+b");
    expect((await stat(world.at("run.sh"))).mode & 0o777).toBe(0o751);
    const moved = ["*** Update File: run.sh", "*** Move to: bin/run.sh", "-b", "+c"];
    expect((await world.apply(...moved)).output).toBe(success("M bin/run.sh"));
    expect((await stat(world.at("bin/run.sh"))).mode & 0o777).toBe(0o751);
    expect(await readFile(world.at("bin/run.sh"), "utf8")).toBe("c\n");
  });

  test("a link stays a link when its file is updated, and only the link goes when it is deleted", async () => {
    await using world = await diskWorld();
    await writeFile(world.at("file"), "a\n");
    await symlink("file", world.at("link"));
    await world.apply("*** Update File: link", "-a", "+b");
    expect((await lstat(world.at("link"))).isSymbolicLink()).toBe(true);
    await world.apply("*** Delete File: link");
    expect(await readFile(world.at("file"), "utf8")).toBe("b\n");
    await expect(lstat(world.at("link"))).rejects.toThrow("ENOENT");
  });
});
