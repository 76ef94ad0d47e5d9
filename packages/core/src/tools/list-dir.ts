import type { DirectoryEntry, FileSystem } from "@codex/environment";
import { type AbsolutePath, parseAbsolutePath } from "@codex/protocol";
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

/** `list_dir`: one page of a directory tree of the environment. As many round trips as a walk takes there. */
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
  const failed = (error: unknown): never =>
    failFileCall(error, (reason) => `failed to read directory: ${reason}`);
  // One more than is shown tells that there are more.
  const limits = { maxDepth, maxEntries: maxEntries + 1, signal };
  const { entries, errors } = await fileSystem.walk(root, limits).catch(failed);
  if (errors[0] !== undefined) failed(errors[0].error);
  return entries
    .map((entry) => {
      const { relativePath } = entry;
      requireOfCall(
        isBelow(relativePath),
        `failed to resolve directory entry path: ${JSON.stringify(entry.fileName)} is no file name`,
      );
      return describe(entry, relativePath, relativePath.split("/").length - 1);
    })
    .toSorted((a, b) => Buffer.compare(a.sortKey, b.sortKey));
}

/** Every segment is a name, taken as it is (`~` is one like any other): nothing leads away. */
function isBelow(relativePath: string): boolean {
  return relativePath
    .split("/")
    .every((name) => name !== "" && name !== "." && name !== ".." && !name.includes("\0"));
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
