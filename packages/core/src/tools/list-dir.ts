import type { DirectoryEntry, FileSystem } from "@codex/environment";
import { type AbsolutePath, joinPath, parseAbsolutePath } from "@codex/protocol";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { failFileCall } from "./file-failure.ts";
import { requireOfCall } from "./model-mistake.ts";
import { RespondToModelError, type Tool } from "./tool.ts";
import { takeBytes } from "./utf8.ts";
import { wholeNumber } from "./whole-number.ts";

/** Bytes of a name that are shown, and of a relative path that count for its place in the list. */
const maxNameBytes = 500;

/** The walk stops after this many entries and the answer says so. */
const maxEntries = 100_000;

/** Directories of one level that are asked for at the same time. */
const maxPending = 1024;

const Parameters = z.object({
  dir_path: z.string().describe("Absolute path of the directory."),
  offset: wholeNumber().optional().describe("First entry to show, counted from 1 (default 1)."),
  limit: wholeNumber().optional().describe("How many entries to show at most (default 25)."),
  depth: wholeNumber()
    .optional()
    .describe("How many levels to descend; 1 shows only the directory's own entries (default 2)."),
});

interface ListedEntry {
  readonly sortKey: Uint8Array;
  readonly line: string;
}

interface Level {
  readonly directories: readonly { readonly path: AbsolutePath; readonly prefix: string }[];
  readonly depth: number;
}

/** `list_dir`: one page of a directory tree of the environment. One round trip for each level. */
export function createListDirTool({ fileSystem }: { readonly fileSystem: FileSystem }): Tool {
  return defineTool({
    name: "list_dir",
    description:
      "Lists a directory and what is below it, sorted by path, one entry a line; `/` marks directories, `@` links.",
    parameters: Parameters,
    isParallel: true,
    async run({ dir_path, offset = 1, limit = 25, depth = 2 }, { signal }) {
      requireOfCall(offset > 0, "offset must be a 1-indexed entry number");
      requireOfCall(limit > 0, "limit must be greater than zero");
      requireOfCall(depth > 0, "depth must be greater than zero");
      const path = parseAbsolutePath(dir_path);
      if (path === undefined) throw new RespondToModelError("dir_path must be an absolute path");
      const isDirectory = checkDirectory(fileSystem, path, signal);
      const collected = collectEntries(fileSystem, path, depth, signal);
      // Asked at the same time; what the first says comes before what the second failed with.
      const [directory, entries] = await Promise.allSettled([isDirectory, collected]);
      if (directory.status === "rejected") throw directory.reason;
      if (entries.status === "rejected") throw entries.reason;
      return [`Absolute path: ${path}`, ...page(entries.value, offset, limit)].join("\n");
    },
  });
}

async function checkDirectory(
  fileSystem: FileSystem,
  path: AbsolutePath,
  signal: AbortSignal,
): Promise<void> {
  const metadata = await fileSystem
    .getMetadata(path, { signal })
    .catch((error: unknown) =>
      failFileCall(error, (reason) => `unable to access \`${path}\`: ${reason}`),
    );
  requireOfCall(metadata.isDirectory, `\`${path}\` is not a directory`);
}

async function collectEntries(
  fileSystem: FileSystem,
  root: AbsolutePath,
  maxDepth: number,
  signal: AbortSignal,
): Promise<ListedEntry[]> {
  const listed: ListedEntry[] = [];
  let level: Level = { directories: [{ path: root, prefix: "" }], depth: 0 };
  while (level.directories.length > 0 && level.depth < maxDepth && listed.length < maxEntries) {
    const below: Level["directories"][number][] = [];
    for (const { directory, entry } of await readLevel(fileSystem, level, signal)) {
      const relative = directory.prefix + entry.fileName;
      listed.push(describe(entry, relative, level.depth));
      const path = joinEntry(directory.path, entry.fileName);
      if (entry.isDirectory && !entry.isSymlink) below.push({ path, prefix: `${relative}/` });
    }
    level = { directories: below, depth: level.depth + 1 };
  }
  return listed.toSorted((a, b) => Buffer.compare(a.sortKey, b.sortKey));
}

async function readLevel(fileSystem: FileSystem, level: Level, signal: AbortSignal) {
  const found: { directory: Level["directories"][number]; entry: DirectoryEntry }[] = [];
  for (let start = 0; start < level.directories.length; start += maxPending) {
    const batch = level.directories.slice(start, start + maxPending);
    const read = batch.map(async (directory) => ({
      directory,
      entries: await fileSystem
        .readDirectory(directory.path, { signal })
        .catch((error: unknown) =>
          failFileCall(error, (reason) => `failed to read directory: ${reason}`),
        ),
    }));
    for (const { directory, entries } of await Promise.all(read))
      for (const entry of entries) found.push({ directory, entry });
    if (found.length > maxEntries) break;
  }
  return found;
}

/** An entry is one segment, taken as it is (`~` is a name like any other); anything else must not lead the walk away. */
function joinEntry(directory: AbsolutePath, name: string): AbsolutePath {
  const isSegment = name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name);
  requireOfCall(
    isSegment,
    `failed to resolve directory entry path: ${JSON.stringify(name)} is no file name`,
  );
  return joinPath(directory, name);
}

function describe(entry: DirectoryEntry, relative: string, depth: number): ListedEntry {
  const name = takeBytes(entry.fileName, maxNameBytes);
  return {
    sortKey: Buffer.from(takeBytes(relative.replaceAll("\\", "/"), maxNameBytes)),
    line: `${"  ".repeat(depth)}${name}${suffix(entry)}`,
  };
}

function suffix(entry: DirectoryEntry): string {
  if (entry.isSymlink) return "@";
  if (entry.isDirectory) return "/";
  return entry.isFile ? "" : "?";
}

function page(entries: readonly ListedEntry[], offset: number, limit: number): string[] {
  if (entries.length === 0) return [];
  requireOfCall(offset <= entries.length, "offset exceeds directory entry count");
  const lines = entries.slice(offset - 1, offset - 1 + limit).map(({ line }) => line);
  if (offset - 1 + lines.length < entries.length)
    lines.push(`More than ${lines.length} entries found`);
  if (entries.length >= maxEntries) lines.push(`Only ${entries.length} entries were looked at`);
  return lines;
}
