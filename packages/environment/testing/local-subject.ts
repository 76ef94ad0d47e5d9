import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createLocalFileSystem } from "@codex/environment";
import { type AbsolutePath, joinPath, toAbsolutePath } from "@codex/protocol";
import { everyFileOffer, type FileSystemSubject } from "./file-system-subject.ts";

/** The local file system in a fresh temporary directory: the subject to copy for sides whose files are on this disk too. */
export async function openLocalSubject(): Promise<FileSystemSubject> {
  const root = toAbsolutePath(await realpath(await mkdtemp(`${tmpdir()}/files-`)));
  return {
    fileSystem: createLocalFileSystem(),
    root,
    offers: everyFileOffer,
    ...diskFixtures,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  };
}

/** The fixtures that the interface cannot make, made on this disk. */
export const diskFixtures = {
  async makeSymlink(target: string, path: AbsolutePath): Promise<void> {
    await mkdir(joinPath(path, ".."), { recursive: true });
    await symlink(target, path);
  },
  /** A directory whose name is not UTF-8: listed lossily, and so not found again. Works for root too. */
  async makeUnreadableDirectory(parent: AbsolutePath): Promise<string> {
    await mkdir(Buffer.concat([Buffer.from(`${parent}/n`), Buffer.from([0xff])]));
    return "n\ufffd";
  },
};
