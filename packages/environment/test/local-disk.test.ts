import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createLocalFileSystem, maxReadBytes } from "@codex/environment";
import { temporaryDirectory } from "@codex/test-support";
import { joinPath, type SandboxIntent, toAbsolutePath } from "@codex/protocol";
import { describe, expect, onTestFinished, test } from "vitest";

async function openDisk() {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory[Symbol.asyncDispose]());
  const root = toAbsolutePath(directory.path);
  return { root, at: (relative: string) => joinPath(root, relative) };
}

const workspaceWrite = {
  mode: "workspace-write",
  includeSlashTmp: false,
  includeTmpdir: false,
  networkAccess: false,
} as const;

describe("what only a real disk has", () => {
  test("M1: a file over 512 MiB is refused as too large, before a byte is read", async () => {
    const { at } = await openDisk();
    writeFileSync(at("huge"), "");
    truncateSync(at("huge"), maxReadBytes + 1);
    const files = createLocalFileSystem();
    const refused = {
      kind: "tooLarge",
      message: "file is too large to read: limit is 536870912 bytes",
    };
    await expect(files.readFile(at("huge"))).rejects.toMatchObject(refused);
    const end = await files.readRange(at("huge"), { offset: maxReadBytes - 1, length: 10 });
    expect(end).toEqual(new Uint8Array(2));
    await expect(
      files.readRange(at("huge"), { offset: 0, length: maxReadBytes + 1 }),
    ).rejects.toMatchObject({ kind: "tooLarge" });
  });

  test("an endless device is refused as too large, and a range of it can be read", async () => {
    const files = createLocalFileSystem();
    const zero = toAbsolutePath("/dev/zero");
    expect(await files.readRange(zero, { offset: 0, length: 5 })).toEqual(new Uint8Array(5));
    await expect(files.readFile(zero)).rejects.toMatchObject({ kind: "tooLarge" });
  });

  test.skipIf(process.platform !== "linux")(
    "a file whose size is told as 0, as in /proc, is read to its end",
    async () => {
      const files = createLocalFileSystem();
      const read = await files.readFile(toAbsolutePath("/proc/self/environ"));
      expect(Buffer.from(read)).toEqual(readFileSync("/proc/self/environ"));
      const part = await files.readRange(toAbsolutePath("/proc/self/environ"), {
        offset: 3,
        length: 7,
      });
      expect(Buffer.from(part)).toEqual(readFileSync("/proc/self/environ").subarray(3, 10));
    },
  );

  test("a FIFO nobody holds neither blocks reading nor writing, and is not copied", async () => {
    const { at } = await openDisk();
    execFileSync("mkfifo", [at("fifo")]);
    const files = createLocalFileSystem();
    expect(await files.readFile(at("fifo"))).toEqual(new Uint8Array());
    await expect(files.writeFile(at("fifo"), Buffer.from("x"))).rejects.toMatchObject({
      message: "No such device or address (os error 6)",
    });
    await expect(files.copy(at("fifo"), at("other"))).rejects.toMatchObject({
      kind: "invalidInput",
      message: "fs/copy only supports regular files, directories, and symlinks",
    });
    mkdirSync(at("tree"));
    renameSync(at("fifo"), at("tree/fifo"));
    writeFileSync(at("tree/file"), "");
    await files.copy(at("tree"), at("copied"), { recursive: true });
    expect(readdirSync(at("copied"))).toEqual(["file"]);
    expect(await files.getMetadata(at("tree/fifo"))).toMatchObject({
      isFile: false,
      isDirectory: false,
    });
  });

  test("C4: a name that is not UTF-8 is listed lossily and cannot be opened again", async () => {
    const { root, at } = await openDisk();
    writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]), "");
    writeFileSync(at("plain"), "");
    const files = createLocalFileSystem();
    const names = (await files.readDirectory(root)).map(({ fileName }) => fileName);
    expect(names.toSorted()).toEqual(["caf\ufffd", "plain"]);
    await expect(files.readFile(at("caf\ufffd"))).rejects.toMatchObject({ kind: "notFound" });
  });

  test("an atomic write replaces the file: one that is open or linked elsewhere keeps the old bytes", async () => {
    const { at } = await openDisk();
    writeFileSync(at("file"), "old");
    linkSync(at("file"), at("hardLink"));
    await createLocalFileSystem().writeFile(at("file"), Buffer.from("new"), { atomic: true });
    expect([readFileSync(at("file"), "utf8"), readFileSync(at("hardLink"), "utf8")]).toEqual([
      "new",
      "old",
    ]);
  });

  test("an atomic write to a device writes to it and leaves it a device", async () => {
    await createLocalFileSystem().writeFile(toAbsolutePath("/dev/null"), Buffer.from("x"), {
      atomic: true,
    });
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  test("times are those of the file, cut to milliseconds", async () => {
    const { at } = await openDisk();
    writeFileSync(at("file"), "x");
    chmodSync(at("file"), 0o640);
    const { mtimeMs, birthtimeMs } = statSync(at("file"));
    expect(await createLocalFileSystem().getMetadata(at("file"))).toEqual({
      isDirectory: false,
      isFile: true,
      isSymlink: false,
      size: 1,
      mode: 0o640,
      createdAtMs: Math.trunc(birthtimeMs),
      modifiedAtMs: Math.trunc(mtimeMs),
    });
  });

  test("no descriptor is left open by calls that succeed, fail or are refused", async () => {
    const { at, root } = await openDisk();
    const files = createLocalFileSystem();
    const sandbox: SandboxIntent = { ...workspaceWrite, writableRoots: [root] };
    const count = () => readdirSync("/proc/self/fd").length;
    const round = async () => {
      await files.writeFile(at("file"), Buffer.from("x"), { sandbox });
      await files.writeFile(at("file"), Buffer.from("x"), { sandbox, atomic: true });
      await files.copy(at("file"), at("copy"), { sandbox });
      await files.rename(at("copy"), at("moved"), { sandbox });
      await files.readFile(root).catch(() => {});
      await files.remove(at("missing/x"), { sandbox });
      await files.createDirectory(at(".git"), { sandbox }).catch(() => {});
      await files.remove(at("moved"), { sandbox });
    };
    await round();
    const before = count();
    for (let rounds = 0; rounds < 5; rounds++) await round();
    expect(count()).toBe(before);
  });
});

describe("the write policy on a real disk", () => {
  test("$TMPDIR is writable when it is told and included", async () => {
    const { root, at } = await openDisk();
    const files = createLocalFileSystem({ temporaryDirectory: root });
    const sandbox = { ...workspaceWrite, writableRoots: [] };
    await expect(files.writeFile(at("x"), Buffer.from("x"), { sandbox })).rejects.toMatchObject({
      kind: "sandboxDenied",
    });
    await files.writeFile(at("x"), Buffer.from("x"), {
      sandbox: { ...sandbox, includeTmpdir: true },
    });
    expect(readFileSync(at("x"), "utf8")).toBe("x");
  });

  test("the bound of the file system holds whatever a call asks for", async () => {
    const { at } = await openDisk();
    mkdirSync(at("in"));
    const sandboxBound: SandboxIntent = { ...workspaceWrite, writableRoots: [at("in")] };
    const files = createLocalFileSystem({ sandboxBound, environment: "box" });
    await files.writeFile(at("in/x"), Buffer.from("x"));
    for (const sandbox of [undefined, { mode: "danger-full-access" } as const])
      await expect(
        files.writeFile(at("out"), Buffer.from("x"), sandbox ? { sandbox } : {}),
      ).rejects.toMatchObject({ kind: "sandboxDenied", path: at("out"), environment: "box" });
    expect(readdirSync(at("."))).toEqual(["in"]);
  });

  test("a link put in a checked directory's place never leads a write outside", async () => {
    const { at } = await openDisk();
    mkdirSync(at("work/real"), { recursive: true });
    mkdirSync(at("outside"));
    symlinkSync(at("outside"), at("work/link"));
    const files = createLocalFileSystem();
    const options = { sandbox: { ...workspaceWrite, writableRoots: [at("work")] } };
    // Another process that keeps exchanging the directory for the link while calls are made.
    const exchanging = await startExchanging(at("work"));
    try {
      for (let attempt = 0; attempt < 1000; attempt++)
        await files.writeFile(at("work/real/x"), Buffer.from("x"), options).catch(() => {});
    } finally {
      exchanging.kill("SIGKILL");
    }
    expect(readdirSync(at("outside"))).toEqual([]);
  });
});

/** Exchanges `real` and `link` in a directory over and over, until it is killed. */
async function startExchanging(directory: string): Promise<ChildProcess> {
  const script = `
    const { renameSync, writeSync } = require("node:fs");
    writeSync(1, "ready");
    for (;;)
      for (const [from, to] of [["real", "aside"], ["link", "real"], ["real", "link"], ["aside", "real"]])
        renameSync(from, to);`;
  const child = spawn(process.execPath, ["-e", script], {
    cwd: directory,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (child.stdout) await once(child.stdout, "data");
  return child;
}
