import { type FileSystem, FileSystemError, walkByListing } from "@codex/environment";
import {
  createCountingFileSystem,
  createMemoryFileSystem,
  type MemoryFiles,
} from "@codex/environment/testing";
import { toAbsolutePath } from "@codex/protocol";
import { describe, expect, test } from "vitest";
import { createListDirTool } from "../../src/tools/list-dir.ts";
import { runTool } from "./run-tool.ts";

async function list(files: MemoryFiles, args: Record<string, unknown>): Promise<unknown> {
  const fileSystem = createMemoryFileSystem(files);
  return (await runTool(createListDirTool({ fileSystem }), { dir_path: "/w", ...args })).output;
}

const shown = (...lines: string[]) => ["Absolute path: /w", ...lines].join("\n");

const deep = {
  "/w/entry.txt": "",
  "/w/nested/child.txt": "",
  "/w/nested/deeper/grandchild.txt": "",
};

const two = { "/w/a/a_child.txt": "", "/w/b/b_child.txt": "" };

const forty = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [`/w/file_${String(index).padStart(2, "0")}`, ""]),
);

describe("tools.md 10: listing", () => {
  test.each([
    ["depth 1", deep, { depth: 1 }, shown("entry.txt", "nested/")],
    ["depth 2", deep, { depth: 2 }, shown("entry.txt", "nested/", "  child.txt", "  deeper/")],
    [
      "depth 3",
      deep,
      { depth: 3 },
      shown("entry.txt", "nested/", "  child.txt", "  deeper/", "    grandchild.txt"),
    ],
    [
      "the first three of a deep tree",
      deep,
      { depth: 3, limit: 3 },
      shown("entry.txt", "nested/", "  child.txt", "More than 3 entries found"),
    ],
    ["a first page", two, { limit: 2 }, shown("a/", "  a_child.txt", "More than 2 entries found")],
    ["a second page", two, { offset: 3, limit: 2 }, shown("b/", "  b_child.txt")],
    [
      "the largest integer as limit",
      two,
      { offset: 2, limit: 2 ** 64 },
      shown("  a_child.txt", "b/", "  b_child.txt"),
    ],
    [
      "25 of 40 by default",
      forty,
      {},
      shown(
        ...Object.keys(forty)
          .slice(0, 25)
          .map((path) => path.slice(3)),
        "More than 25 entries found",
      ),
    ],
    [
      "an offset beyond the end",
      { "/w/one": "" },
      { offset: 10 },
      "offset exceeds directory entry count",
    ],
    ["an empty directory, whatever the offset", { "/w/": "" }, { offset: 5 }, shown()],
    [
      "byte order of whole paths: a sibling may stand before a child",
      { "/w/a/child": "", "/w/a-b": "", "/w/\u{1F600}": "", "/w/\uFFFD": "" },
      {},
      shown("a/", "a-b", "  child", "\uFFFD", "\u{1F600}"),
    ],
    [
      "a name longer than 500 bytes",
      { [`/w/${"n".repeat(499)}é`]: "" },
      {},
      shown("n".repeat(499)),
    ],
    ["seed row H7: an entry called ~", { "/w/~/inside": "" }, {}, shown("~/", "  inside")],
    [
      "seed row H4: a path that is not normalised",
      deep,
      { dir_path: "/w/./nested/../", depth: 1 },
      shown("entry.txt", "nested/"),
    ],
  ])("%s", async (_, files, args, expected) => {
    expect(await list(files, args)).toBe(expected);
  });

  test("links are marked and never entered, other kinds marked with ?", async () => {
    const memory = createMemoryFileSystem({ "/w/nested/child": "" });
    await memory.makeSymlink("nested", toAbsolutePath("/w/link"));
    const socket = { fileName: "socket", isDirectory: false, isFile: false, isSymlink: false };
    const fileSystem = listingBy(memory, async (path) =>
      path === "/w" ? [...(await memory.readDirectory(path)), socket] : memory.readDirectory(path),
    );
    const { output } = await runTool(createListDirTool({ fileSystem }), { dir_path: "/w" });
    expect(output).toBe(shown("link@", "nested/", "  child", "socket?"));
  });
});

describe("tools.md 10: errors", () => {
  test.each([
    [{ offset: 0, limit: 0 }, "offset must be a 1-indexed entry number"],
    [{ limit: 0, depth: 0 }, "limit must be greater than zero"],
    [{ depth: 0, dir_path: "w" }, "depth must be greater than zero"],
    [{ dir_path: "w" }, "dir_path must be an absolute path"],
    [{ dir_path: "/none" }, "unable to access `/none`: No such file or directory (os error 2)"],
    [{ dir_path: "/w/entry.txt" }, "`/w/entry.txt` is not a directory"],
  ])("%j: %s", async (args, expected) => {
    expect(await list(deep, args)).toBe(expected);
  });

  test("a directory of the walk that cannot be read", async () => {
    const fileSystem = createMemoryFileSystem(deep);
    fileSystem.makeUnreadable(toAbsolutePath("/w/nested"));
    const tool = createListDirTool({ fileSystem });
    expect((await runTool(tool, { dir_path: "/w" })).output).toBe(
      "failed to read directory: Permission denied (os error 13)",
    );
    expect((await runTool(tool, { dir_path: "/w", depth: 1 })).output).toBe(
      shown("entry.txt", "nested/"),
    );
  });

  test("a name that would lead the walk elsewhere", async () => {
    const up = { fileName: "..", isDirectory: true, isFile: false, isSymlink: false };
    const fileSystem = listingBy(createMemoryFileSystem(deep), async () => [up]);
    expect((await runTool(createListDirTool({ fileSystem }), { dir_path: "/w" })).output).toBe(
      'failed to resolve directory entry path: ".." is no file name',
    );
  });

  test("a lost executor ends the turn", async () => {
    const lost = new FileSystemError("lost", "/w", "the executor is gone");
    const fileSystem = listingBy(createMemoryFileSystem(deep), () => Promise.reject(lost));
    const run = runTool(createListDirTool({ fileSystem }), { dir_path: "/w" });
    await expect(run).rejects.toBe(lost);
  });
});

test("one walk, however many directories there are", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`/w/d${index}/e/f/file`, ""]),
  );
  const fileSystem = createCountingFileSystem(createMemoryFileSystem(files));
  await runTool(createListDirTool({ fileSystem }), { dir_path: "/w", depth: 3 });
  expect(fileSystem.count().roundTrips).toBe(1);
});

/** The file system with other answers of its directories. */
function listingBy(fileSystem: FileSystem, readDirectory: FileSystem["readDirectory"]): FileSystem {
  return {
    ...fileSystem,
    readDirectory,
    walk: (path, options) => walkByListing({ readDirectory }, path, options),
  };
}
