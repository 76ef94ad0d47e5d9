import type { FileSystem } from "@codex/environment";
import { type AbsolutePath, parseAbsolutePath } from "@codex/protocol";
import * as z from "zod";
import { defineTool } from "../define-tool.ts";
import { failFileCall } from "../file-failure.ts";
import { requireOfCall } from "../model-mistake.ts";
import { RespondToModelError, type Tool } from "../tool.ts";
import { wholeNumber } from "../whole-number.ts";
import { IndentationReader } from "./indentation.ts";
import { type LineReader, LineSplitter } from "./lines.ts";
import { SliceReader } from "./slice.ts";

/** Most files come whole with the first question; a deep slice of a large one asks for ever larger blocks. */
const firstBlockBytes = 256 * 1024;
const largestBlockBytes = 16 * 1024 * 1024;

const Parameters = z.object({
  file_path: z.string().describe("Absolute path of the file."),
  offset: wholeNumber().optional().describe("First line to show, counted from 1 (default 1)."),
  limit: wholeNumber().optional().describe("How many lines to show at most (default 2000)."),
  mode: z
    .enum(["slice", "indentation"])
    .optional()
    .describe(
      "`slice` (default) shows lines as they follow each other; `indentation` shows the block of code around one line.",
    ),
  indentation: z
    .object({
      anchor_line: wholeNumber()
        .optional()
        .describe("Line the block is built around (default: offset)."),
      max_levels: wholeNumber()
        .optional()
        .describe("How many enclosing levels to add; 0 (default) adds all."),
      include_siblings: z
        .boolean()
        .optional()
        .describe("Also show blocks of the same level next to it (default false)."),
      include_header: z
        .boolean()
        .optional()
        .describe("Also show comments right above the block (default true)."),
      max_lines: wholeNumber()
        .optional()
        .describe("A limit of its own for this mode (default: limit)."),
    })
    .optional()
    .describe("Only for mode `indentation`."),
});

type Arguments = z.infer<typeof Parameters>;

/** `read_file`: numbered lines of a file of the environment. Reads no further into the file than the answer needs. */
export function createReadFileTool({ fileSystem }: { readonly fileSystem: FileSystem }): Tool {
  return defineTool({
    name: "read_file",
    description:
      "Shows a text file with its line numbers, either some lines of it or the block of code around a line.",
    parameters: Parameters,
    isParallel: true,
    async run(args, { signal }) {
      const { path, reader } = plan(args);
      try {
        await readLines(readBlocks(fileSystem, path, signal), reader);
      } catch (error) {
        failFileCall(error, (reason) => `failed to read file: ${reason}`);
      }
      return reader.finish().join("\n");
    },
  });
}

function plan(args: Arguments): { path: AbsolutePath; reader: LineReader } {
  const { offset = 1, limit = 2000, indentation = {} } = args;
  requireOfCall(offset > 0, "offset must be a 1-indexed line number");
  requireOfCall(limit > 0, "limit must be greater than zero");
  const path = parseAbsolutePath(args.file_path);
  if (path === undefined) throw new RespondToModelError("file_path must be an absolute path");
  if (args.mode !== "indentation") return { path, reader: new SliceReader({ offset, limit }) };

  const { anchor_line: anchor = offset, max_lines: guard = limit } = indentation;
  requireOfCall(anchor > 0, "anchor_line must be a 1-indexed line number");
  requireOfCall(guard > 0, "max_lines must be greater than zero");
  const reader = new IndentationReader({
    anchor,
    limit: Math.min(limit, guard),
    maxLevels: indentation.max_levels ?? 0,
    includeSiblings: indentation.include_siblings ?? false,
    includeHeader: indentation.include_header ?? true,
  });
  return { path, reader };
}

async function readLines(blocks: AsyncIterable<Uint8Array>, reader: LineReader): Promise<void> {
  const splitter = new LineSplitter();
  for await (const block of blocks)
    for (const line of splitter.push(block)) if (!reader.take(line)) return;
  for (const line of splitter.end()) if (!reader.take(line)) return;
}

async function* readBlocks(
  fileSystem: FileSystem,
  path: AbsolutePath,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  let [offset, length] = [0, firstBlockBytes];
  for (;;) {
    const block = await fileSystem.readRange(path, { offset, length }, { signal });
    yield block;
    if (block.length < length) return;
    offset += length;
    length = Math.min(length * 4, largestBlockBytes);
  }
}
