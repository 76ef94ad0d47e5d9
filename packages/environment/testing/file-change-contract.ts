import { copyRefusals } from "@codex/environment";
import { describe, expect, test } from "vitest";
import {
  bytesOf,
  expectOsError,
  expectRefusal,
  type OpenFileSystem,
  openWorkbench,
} from "./file-system-subject.ts";

/** What changing calls promise when nothing restricts them. */
export function describeFileChanges(name: string, open: OpenFileSystem): void {
  describe(`changing files: ${name}`, () => {
    describeWriting(open);
    describeDirectories(open);
    describeRenaming(open);
    describeRemoving(open);
    describeCopying(open);
  });
}

function describeWriting(open: OpenFileSystem): void {
  test("writeFile replaces the whole content, follows a link and keeps it", async () => {
    const { fileSystem, at, write, read, makeSymlink } = await openWorkbench(open);
    await write("file", "a longer text");
    await makeSymlink("file", at("link"));
    await makeSymlink("new", at("dangling"));
    await fileSystem.writeFile(at("link"), bytesOf("short"));
    await fileSystem.writeFile(at("dangling"), bytesOf("made"));
    expect([await read("file"), await read("new")]).toEqual(["short", "made"]);
    const entries = await fileSystem.readDirectory(at("."));
    expect(
      entries
        .filter((one) => one.isSymlink)
        .map((one) => one.fileName)
        .toSorted(),
    ).toEqual(["dangling", "link"]);
  });

  test("writeFile needs the parent directory, and refuses a directory", async () => {
    const { fileSystem, at, root, write } = await openWorkbench(open);
    await write("file", "");
    const empty = new Uint8Array();
    await expectOsError(fileSystem.writeFile(at("no/file"), empty), "ENOENT", "notFound");
    await expectOsError(fileSystem.writeFile(at("file/x"), empty), "ENOTDIR", "notDirectory");
    await expectOsError(fileSystem.writeFile(root, empty), "EISDIR", "isDirectory");
  });

  test("the bytes given to writeFile may be used again as soon as it has settled", async () => {
    const { fileSystem, at, read } = await openWorkbench(open);
    const bytes = bytesOf("first");
    await fileSystem.writeFile(at("file"), bytes);
    bytes.fill(0);
    expect(await read("file")).toBe("first");
  });

  test("mode is given to new and existing files; left out, a file keeps its own", async () => {
    const { fileSystem, at, offers } = await openWorkbench(open);
    const modeAfter = async (options: { mode?: number }) => {
      await fileSystem.writeFile(at("script"), bytesOf("#!/bin/sh\n"), options);
      return (await fileSystem.getMetadata(at("script"))).mode;
    };
    if (!offers.fileMode) {
      await expectRefusal(modeAfter({ mode: 0o755 }), { kind: "unsupported" });
      expect(await modeAfter({})).toBeUndefined();
      return;
    }
    expect([
      await modeAfter({ mode: 0o755 }),
      await modeAfter({}),
      await modeAfter({ mode: 0o666 }),
    ]).toEqual([0o755, 0o755, 0o666]);
  });

  test("an atomic write follows a link and keeps it, keeps the mode, and leaves nothing beside", async () => {
    const { fileSystem, at, write, read, names, makeSymlink, offers } = await openWorkbench(open);
    const atomic = { atomic: true } as const;
    if (!offers.atomicWrite) {
      const refused = fileSystem.writeFile(at("file"), bytesOf("new"), atomic);
      return await expectRefusal(refused, { kind: "unsupported" });
    }
    await write("real/file", "old");
    await makeSymlink("real/file", at("link"));
    if (offers.fileMode) await fileSystem.writeFile(at("link"), bytesOf("old"), { mode: 0o751 });
    await fileSystem.writeFile(at("link"), bytesOf("new"), atomic);
    await fileSystem.writeFile(at("fresh"), bytesOf("made"), atomic);
    expect([await read("real/file"), await read("fresh")]).toEqual(["new", "made"]);
    expect([await names("."), await names("real")]).toEqual([["fresh", "link", "real"], ["file"]]);
    if (offers.linkMetadata)
      expect((await fileSystem.getMetadata(at("link"))).isSymlink).toBe(true);
    if (offers.fileMode) expect((await fileSystem.getMetadata(at("link"))).mode).toBe(0o751);
  });

  test("an atomic write that fails leaves everything as it was", async () => {
    const { fileSystem, at, root, write, names, offers } = await openWorkbench(open);
    if (!offers.atomicWrite) return;
    await write("directory/file", "");
    const attempt = fileSystem.writeFile(at("directory"), bytesOf("new"), { atomic: true });
    await expectOsError(attempt, "EISDIR", "isDirectory");
    const missing = fileSystem.writeFile(at("no/file"), bytesOf("new"), { atomic: true });
    await expectOsError(missing, "ENOENT", "notFound");
    expect(await names(".")).toEqual(["directory"]);
    expect((await fileSystem.getMetadata(root)).isDirectory).toBe(true);
  });
}

function describeDirectories(open: OpenFileSystem): void {
  test("M2: createDirectory makes parents and accepts an existing directory unless told otherwise", async () => {
    const { fileSystem, at, names, write, makeSymlink } = await openWorkbench(open);
    await fileSystem.createDirectory(at("a/b/c"));
    await fileSystem.createDirectory(at("a/b/c"), { recursive: true });
    await makeSymlink("a", at("link"));
    await fileSystem.createDirectory(at("link"));
    await fileSystem.createDirectory(at("link/d"));
    expect([await names("a"), await names("a/b")]).toEqual([["b", "d"], ["c"]]);
    const plain = { recursive: false };
    await fileSystem.createDirectory(at("one"), plain);
    await expectOsError(fileSystem.createDirectory(at("one"), plain), "EEXIST", "alreadyExists");
    await expectOsError(fileSystem.createDirectory(at("x/y"), plain), "ENOENT", "notFound");
    await write("file", "");
    await expectOsError(fileSystem.createDirectory(at("file")), "EEXIST", "alreadyExists");
    await expectOsError(fileSystem.createDirectory(at("file/x")), "ENOTDIR", "notDirectory");
  });
}

function describeRenaming(open: OpenFileSystem): void {
  test("rename moves files, links and directories and replaces a file, or is refused as unsupported", async () => {
    const { fileSystem, at, write, read, names, makeSymlink, offers } = await openWorkbench(open);
    await write("file", "moved");
    if (!offers.rename) {
      const refused = fileSystem.rename(at("file"), at("other"));
      return await expectRefusal(refused, { kind: "unsupported" });
    }
    await write("target", "replaced");
    await write("directory/inner", "kept");
    await makeSymlink("target", at("link"));
    await fileSystem.rename(at("file"), at("target"));
    await fileSystem.rename(at("directory"), at("renamed"));
    await fileSystem.rename(at("link"), at("renamed/link"));
    expect([await names("."), await names("renamed")]).toEqual([
      ["renamed", "target"],
      ["inner", "link"],
    ]);
    expect([await read("target"), await read("renamed/inner")]).toEqual(["moved", "kept"]);
    await expectOsError(fileSystem.rename(at("missing"), at("x")), "ENOENT", "notFound");
    await expectOsError(fileSystem.rename(at("target"), at("no/x")), "ENOENT", "notFound");
    await expectOsError(fileSystem.rename(at("target"), at("renamed")), "EISDIR", "isDirectory");
    await expectOsError(fileSystem.rename(at("renamed"), at("target")), "ENOTDIR", "notDirectory");
    await expectOsError(
      fileSystem.rename(at("renamed"), at("renamed/inside")),
      "EINVAL",
      "invalidInput",
    );
  });
}

function describeRemoving(open: OpenFileSystem): void {
  test("M2: remove is recursive and forgiving unless told otherwise", async () => {
    const { fileSystem, at, write, names } = await openWorkbench(open);
    await write("full/inner/file", "");
    await fileSystem.createDirectory(at("empty"));
    const flat = { recursive: false };
    await expectOsError(fileSystem.remove(at("full"), flat), "ENOTEMPTY", "notEmpty");
    await fileSystem.remove(at("empty"), flat);
    await fileSystem.remove(at("full/inner/file"), flat);
    expect(await names("full")).toEqual(["inner"]);
    await fileSystem.remove(at("full"));
    expect(await names(".")).toEqual([]);
    await fileSystem.remove(at("full"));
    await fileSystem.remove(at("full/inner"));
  });

  test("C5: remove without force of a missing path is not found; a path through a file is an error either way", async () => {
    const { fileSystem, at, write } = await openWorkbench(open);
    await write("file", "");
    const strict = { force: false };
    await expectOsError(fileSystem.remove(at("missing"), strict), "ENOENT", "notFound");
    await expectOsError(fileSystem.remove(at("file/x"), strict), "ENOTDIR", "notDirectory");
    await expectOsError(fileSystem.remove(at("file/x")), "ENOTDIR", "notDirectory");
  });

  test("removing a link removes the link only, a dangling one too", async () => {
    const { fileSystem, at, write, read, names, makeSymlink } = await openWorkbench(open);
    await write("kept/file", "here");
    await makeSymlink("kept", at("tree/link"));
    await makeSymlink("nowhere", at("tree/dangling"));
    await fileSystem.remove(at("tree/dangling"));
    await fileSystem.remove(at("tree"));
    expect([await names("."), await read("kept/file")]).toEqual([["kept"], "here"]);
  });
}

function describeCopying(open: OpenFileSystem): void {
  test("copy copies a file with its mode over an existing one, and a link as a link", async () => {
    const { fileSystem, at, write, read, makeSymlink, offers } = await openWorkbench(open);
    await write("file", "data");
    if (offers.fileMode) await fileSystem.writeFile(at("file"), bytesOf("data"), { mode: 0o750 });
    await write("existing", "something longer");
    await makeSymlink("file", at("link"));
    await fileSystem.copy(at("file"), at("existing"));
    await fileSystem.copy(at("link"), at("link2"));
    expect([await read("existing"), await read("link2")]).toEqual(["data", "data"]);
    const entries = await fileSystem.readDirectory(at("."));
    expect(entries.find(({ fileName }) => fileName === "link2")?.isSymlink).toBe(true);
    if (offers.fileMode) expect((await fileSystem.getMetadata(at("existing"))).mode).toBe(0o750);
    await expectOsError(fileSystem.copy(at("missing"), at("x")), "ENOENT", "notFound");
    await expectOsError(fileSystem.copy(at("file"), at("no/x")), "ENOENT", "notFound");
  });

  test("M5: copy of a directory needs recursive, makes missing parents and fills what is there", async () => {
    const { fileSystem, at, write, read, names, makeSymlink } = await openWorkbench(open);
    await write("tree/sub/file", "data");
    await makeSymlink("sub/file", at("tree/link"));
    const refused = { kind: "invalidInput", message: copyRefusals.needsRecursive } as const;
    await expectRefusal(fileSystem.copy(at("tree"), at("other")), refused);
    await write("other/sub/own", "stays");
    await fileSystem.copy(at("tree"), at("other"), { recursive: true });
    await fileSystem.copy(at("tree"), at("new/deep"), { recursive: true });
    expect([await names("other"), await names("other/sub"), await names("new/deep")]).toEqual([
      ["link", "sub"],
      ["file", "own"],
      ["link", "sub"],
    ]);
    expect([await read("other/link"), await read("new/deep/link")]).toEqual(["data", "data"]);
  });

  test("copy refuses to copy a directory into itself, also through a link", async () => {
    const { fileSystem, at, write, names, makeSymlink } = await openWorkbench(open);
    await write("tree/sub/file", "data");
    await makeSymlink("tree/sub", at("link"));
    const refused = { kind: "invalidInput", message: copyRefusals.intoItself } as const;
    for (const to of ["tree", "tree/sub/new/deep", "link/new"])
      await expectRefusal(fileSystem.copy(at("tree"), at(to), { recursive: true }), refused);
    expect(await names("tree/sub")).toEqual(["file"]);
    await fileSystem.copy(at("tree"), at("tree2"), { recursive: true });
    expect(await names("tree2")).toEqual(["sub"]);
  });
}
