import { FileSystemError } from "@codex/environment";
import { describe, expect, test } from "vitest";
import {
  entry,
  expectOsError,
  expectRefusal,
  type OpenFileSystem,
  openWorkbench,
} from "./file-system-subject.ts";

const far = { maxDepth: 64, maxEntries: 1000 };

/** What walking promises: order, depth, limits, links, directories that cannot be read. */
export function describeWalking(name: string, open: OpenFileSystem): void {
  describe(`walking: ${name}`, () => {
    test("a walk is breadth first and sorted by bytes inside a directory", async () => {
      const { fileSystem, root, write } = await openWorkbench(open);
      // U+FF21 sorts before U+1F600 by bytes, after it by JavaScript's own order.
      for (const file of ["b/z", "b/a", "a/x/deep", "B", "Ａ", "😀", "a.txt"])
        await write(file, "");
      const { entries, ...rest } = await fileSystem.walk(root, far);
      expect(entries.map(({ relativePath }) => relativePath)).toEqual([
        "B",
        "a",
        "a.txt",
        "b",
        "Ａ",
        "😀",
        "a/x",
        "b/a",
        "b/z",
        "a/x/deep",
      ]);
      expect(rest).toEqual({ errors: [], isTruncated: false });
    });

    test("each entry of a walk has the facts of a listing; links are told and never entered", async () => {
      const { fileSystem, root, write, at, makeSymlink } = await openWorkbench(open);
      await write("sub/file", "");
      await makeSymlink("..", at("sub/up"));
      await makeSymlink("sub", at("link"));
      expect(await fileSystem.walk(root, far)).toEqual({
        entries: [
          { ...entry("link", "link"), relativePath: "link" },
          { ...entry("sub", "directory"), relativePath: "sub" },
          { ...entry("file", "file"), relativePath: "sub/file" },
          { ...entry("up", "link"), relativePath: "sub/up" },
        ],
        errors: [],
        isTruncated: false,
      });
    });

    test("the root of a walk may be a link to a directory", async () => {
      const { fileSystem, write, at, makeSymlink } = await openWorkbench(open);
      await write("sub/file", "");
      await makeSymlink("sub", at("link"));
      const { entries } = await fileSystem.walk(at("link"), far);
      expect(entries).toEqual([{ ...entry("file", "file"), relativePath: "file" }]);
    });

    test("maxDepth 1 gives the directory's own entries, 2 their entries too", async () => {
      const { fileSystem, root, write } = await openWorkbench(open);
      await write("a/b/c", "");
      const depth = async (maxDepth: number) =>
        (await fileSystem.walk(root, { ...far, maxDepth })).entries.map((one) => one.relativePath);
      expect([await depth(1), await depth(2), await depth(3)]).toEqual([
        ["a"],
        ["a", "a/b"],
        ["a", "a/b", "a/b/c"],
      ]);
    });

    test("maxEntries cuts the walk and says so, but only when there was more", async () => {
      const { fileSystem, root, write } = await openWorkbench(open);
      for (const file of ["a/1", "a/2", "b"]) await write(file, "");
      const cut = async (maxEntries: number) => {
        const { entries, isTruncated } = await fileSystem.walk(root, { ...far, maxEntries });
        return { paths: entries.map(({ relativePath }) => relativePath), isTruncated };
      };
      expect([await cut(1), await cut(3), await cut(4)]).toEqual([
        { paths: ["a"], isTruncated: true },
        { paths: ["a", "b", "a/1"], isTruncated: true },
        { paths: ["a", "b", "a/1", "a/2"], isTruncated: false },
      ]);
    });

    test("more directories on one level than are listed at once are all walked, in order", async () => {
      const { fileSystem, root, write } = await openWorkbench(open);
      const names = Array.from({ length: 40 }, (_, index) => `d${String(index).padStart(2, "0")}`);
      await Promise.all(names.map((directory) => write(`${directory}/file`, "")));
      const { entries } = await fileSystem.walk(root, far);
      expect(entries.map(({ relativePath }) => relativePath)).toEqual([
        ...names,
        ...names.map((directory) => `${directory}/file`),
      ]);
    });

    test("a directory that cannot be read is an entry and an error, and the walk goes on", async (context) => {
      const { fileSystem, root, write, at, makeUnreadableDirectory } = await openWorkbench(open);
      if (makeUnreadableDirectory === undefined)
        return context.skip("this side cannot make such a directory");
      await write("z/file", "");
      const unreadable = await makeUnreadableDirectory(at("."));
      const { entries, errors, isTruncated } = await fileSystem.walk(root, far);
      expect(entries.map(({ relativePath }) => relativePath).toSorted()).toEqual(
        [unreadable, "z", "z/file"].toSorted(),
      );
      expect(errors).toEqual([{ relativePath: unreadable, error: expect.any(FileSystemError) }]);
      expect(isTruncated).toBe(false);
    });

    test("a walk refuses a root that is missing or a file, and limits below 1", async () => {
      const { fileSystem, root, write, at } = await openWorkbench(open);
      await write("file", "");
      await expectOsError(fileSystem.walk(at("missing"), far), "ENOENT", "notFound");
      await expectOsError(fileSystem.walk(at("file"), far), "ENOTDIR", "notDirectory");
      const invalid = { kind: "invalidInput" } as const;
      await expectRefusal(fileSystem.walk(root, { ...far, maxDepth: 0 }), invalid);
      await expectRefusal(fileSystem.walk(root, { ...far, maxEntries: 0 }), invalid);
    });
  });
}
