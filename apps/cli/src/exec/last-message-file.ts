import { constants } from "node:fs";
import { access, open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { StartError } from "../start-error.ts";

/** The file `-o` names; a path of this machine, relative to the process's own directory. */
export interface LastMessageFile {
  /** Replaces the file as a whole: a reader sees the old text or the new one, never a part. */
  write(text: string): Promise<void>;
}

/** Finds out now whether it can be written, so that a run does not end without its result. Throws a {@link StartError}. */
export async function openLastMessageFile(path: string, cwd: string): Promise<LastMessageFile> {
  const target = resolve(cwd, path);
  try {
    if (await isSpecial(target)) return await specialFile(target);
    const real = await realpath(target).catch(() => target);
    await probe(real);
    return { write: (text) => replaceFile(real, text) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(`Cannot write the last message to ${path}: ${reason}`, { cause });
  }
}

/** A pipe or a device such as /dev/stdout cannot be replaced: it is written to. */
async function specialFile(target: string): Promise<LastMessageFile> {
  await access(target, constants.W_OK);
  return { write: (text) => writeFile(target, text) };
}

async function isSpecial(target: string): Promise<boolean> {
  const stats = await stat(target).catch(() => undefined);
  if (stats?.isDirectory() === true) throw new Error("it is a directory");
  return stats !== undefined && !stats.isFile();
}

async function probe(target: string): Promise<void> {
  const exists = await stat(target).catch(() => undefined);
  if (exists !== undefined) await access(target, constants.W_OK);
  const beside = temporaryName(target);
  await (await open(beside, "wx")).close();
  await rm(beside);
}

async function replaceFile(target: string, text: string): Promise<void> {
  const mode = (await stat(target).catch(() => undefined))?.mode;
  const beside = temporaryName(target);
  try {
    const file = await open(beside, "wx", 0o666);
    try {
      await file.writeFile(text);
      if (mode !== undefined) await file.chmod(mode & 0o7777);
    } finally {
      await file.close();
    }
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

function temporaryName(target: string): string {
  return join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
}
