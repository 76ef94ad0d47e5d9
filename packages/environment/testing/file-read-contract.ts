import { osErrorMessage } from "@codex/environment";
import { describe, expect, test } from "vitest";
import {
  bytesOf,
  entry,
  expectOsError,
  expectRefusal,
  type OpenFileSystem,
  openWorkbench,
} from "./file-system-subject.ts";

/** What reading promises: bytes, ranges, metadata, listings, real paths. */
export function describeFileReading(name: string, open: OpenFileSystem): void {
  describe(`reading files: ${name}`, () => {
    test("C5: a file of all 256 byte values comes back as written, and so does an empty one", async () => {
      const { fileSystem, at } = await openWorkbench(open);
      const every = Uint8Array.from({ length: 256 }, (_, value) => value);
      await fileSystem.writeFile(at("every"), every);
      await fileSystem.writeFile(at("empty"), new Uint8Array());
      expect(await fileSystem.readFile(at("every"))).toEqual(every);
      expect(await fileSystem.readFile(at("empty"))).toEqual(new Uint8Array());
    });

    test("a file of 3 MiB comes back whole, and its ranges are cut from it", async () => {
      const { fileSystem, at } = await openWorkbench(open);
      const bytes = new Uint8Array(3 * 1024 * 1024).map((_, index) => (index * 2654435761) >>> 13);
      await fileSystem.writeFile(at("large"), bytes);
      const read = await fileSystem.readFile(at("large"));
      expect(Buffer.compare(read, bytes)).toBe(0);
      const range = { offset: 1024 * 1024 - 3, length: 1024 * 1024 + 7 };
      const part = await fileSystem.readRange(at("large"), range);
      expect(Buffer.compare(part, bytes.subarray(range.offset, range.offset + range.length))).toBe(
        0,
      );
    });

    test("readRange gives fewer bytes only at the end of the file, and none beyond it", async () => {
      const { fileSystem, at, write } = await openWorkbench(open);
      await write("file", "0123456789");
      const range = async (offset: number, length: number) =>
        new TextDecoder().decode(await fileSystem.readRange(at("file"), { offset, length }));
      expect([
        await range(0, 4),
        await range(8, 1),
        await range(8, 100),
        await range(10, 5),
        await range(500, 5),
        await range(3, 0),
      ]).toEqual(["0123", "8", "89", "", "", ""]);
    });

    test("readRange refuses what is no range as invalid input", async () => {
      const { fileSystem, at, write } = await openWorkbench(open);
      await write("file", "0123");
      for (const range of [
        { offset: -1, length: 1 },
        { offset: 0, length: -1 },
        { offset: 0.5, length: 1 },
      ])
        await expectRefusal(fileSystem.readRange(at("file"), range), { kind: "invalidInput" });
    });

    test("C7: what is missing is not found, with the system's text and the path asked for", async () => {
      const { fileSystem, at } = await openWorkbench(open);
      const path = at("missing/file");
      const missing = { kind: "notFound", message: osErrorMessage("ENOENT"), path } as const;
      await expectRefusal(fileSystem.readFile(path), missing);
      await expectRefusal(fileSystem.readRange(path, { offset: 0, length: 1 }), missing);
      await expectRefusal(fileSystem.getMetadata(path), missing);
      await expectRefusal(fileSystem.readDirectory(path), missing);
    });

    test("a directory is not read as a file, a file not listed, and nothing is below a file", async () => {
      const { fileSystem, at, write } = await openWorkbench(open);
      await write("directory/file", "x");
      await expectOsError(fileSystem.readFile(at("directory")), "EISDIR", "isDirectory");
      await expectOsError(
        fileSystem.readDirectory(at("directory/file")),
        "ENOTDIR",
        "notDirectory",
      );
      await expectOsError(fileSystem.readFile(at("directory/file/x")), "ENOTDIR", "notDirectory");
      await expectOsError(
        fileSystem.getMetadata(at("directory/file/x")),
        "ENOTDIR",
        "notDirectory",
      );
    });

    test("M3: metadata tells what a path leads to, links followed, and that it is a link beside", async () => {
      const { fileSystem, at, write, makeSymlink, offers } = await openWorkbench(open);
      await write("directory/file", "12345");
      await makeSymlink("directory/file", at("fileLink"));
      await makeSymlink(at("directory"), at("directoryLink"));
      const facts = async (relative: string) => {
        const { isDirectory, isFile, isSymlink, size } = await fileSystem.getMetadata(at(relative));
        return { isDirectory, isFile, isSymlink, ...(isFile && { size }) };
      };
      const size = offers.fileSize ? 5 : undefined;
      const isLink = offers.linkMetadata;
      expect([
        await facts("directory/file"),
        await facts("directory"),
        await facts("fileLink"),
        await facts("directoryLink"),
      ]).toEqual([
        { isDirectory: false, isFile: true, isSymlink: false, size },
        { isDirectory: true, isFile: false, isSymlink: false },
        { isDirectory: false, isFile: true, isSymlink: isLink, size },
        { isDirectory: true, isFile: false, isSymlink: isLink },
      ]);
    });

    test("the times of metadata are whole milliseconds, the later write not before the earlier", async () => {
      const { fileSystem, at, write } = await openWorkbench(open);
      await write("first", "1");
      await write("second", "2");
      const [first, second] = [
        await fileSystem.getMetadata(at("first")),
        await fileSystem.getMetadata(at("second")),
      ];
      expect([first.createdAtMs, first.modifiedAtMs].every(Number.isInteger)).toBe(true);
      expect(second.modifiedAtMs).toBeGreaterThanOrEqual(first.modifiedAtMs);
    });

    test("a link that leads nowhere is not found, and links in a circle are an error", async () => {
      const { fileSystem, at, makeSymlink } = await openWorkbench(open);
      await makeSymlink("nowhere", at("dangling"));
      await makeSymlink("circle", at("circle"));
      await expectOsError(fileSystem.getMetadata(at("dangling")), "ENOENT", "notFound");
      await expectOsError(fileSystem.readFile(at("dangling")), "ENOENT", "notFound");
      await expectOsError(fileSystem.readFile(at("circle")), "ELOOP", "other");
    });

    test("C3, M4: a listing describes the entries themselves: a link is only a link, a dangling one is there", async () => {
      const { fileSystem, at, write, makeSymlink } = await openWorkbench(open);
      await write("sub/inner", "");
      await write("file", "");
      await makeSymlink("file", at("link"));
      await makeSymlink("sub", at("directoryLink"));
      await makeSymlink("nowhere", at("dangling"));
      const entries = await fileSystem.readDirectory(at("."));
      expect(entries.toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1))).toEqual([
        entry("dangling", "link"),
        entry("directoryLink", "link"),
        entry("file", "file"),
        entry("link", "link"),
        entry("sub", "directory"),
      ]);
    });

    test("names with spaces, quotes, new lines and characters of every width are kept", async () => {
      const { names, write, read } = await openWorkbench(open);
      const files = ["a b", 'it\'s "so"', "new\nline", "é", "日本", "😀", "%41", "back\\slash"];
      for (const file of files) await write(file, file);
      expect(await names(".")).toEqual(files.toSorted());
      for (const file of files) expect(await read(file)).toBe(file);
    });

    test("canonicalize resolves every link, or is refused as unsupported", async () => {
      const { fileSystem, at, write, makeSymlink, offers } = await openWorkbench(open);
      await write("real/deep/file", "");
      await makeSymlink("real/deep", at("link"));
      await makeSymlink("link", at("linkToLink"));
      if (!offers.canonicalize) {
        await expectRefusal(fileSystem.canonicalize(at("link")), { kind: "unsupported" });
        return;
      }
      expect(await fileSystem.canonicalize(at("linkToLink/file"))).toBe(at("real/deep/file"));
      expect(await fileSystem.canonicalize(at("real"))).toBe(at("real"));
      await expectOsError(fileSystem.canonicalize(at("missing")), "ENOENT", "notFound");
    });

    test("an aborted call rejects with the signal's own reason", async () => {
      const { fileSystem, at, write } = await openWorkbench(open);
      await write("file", "x");
      const reason = new Error("stopped");
      const signal = AbortSignal.abort(reason);
      await expect(fileSystem.readFile(at("file"), { signal })).rejects.toBe(reason);
      await expect(fileSystem.readDirectory(at("."), { signal })).rejects.toBe(reason);
      await expect(fileSystem.writeFile(at("file"), bytesOf("y"), { signal })).rejects.toBe(reason);
      await expect(fileSystem.walk(at("."), { maxDepth: 1, maxEntries: 1, signal })).rejects.toBe(
        reason,
      );
    });
  });
}
