import { type FileSystem, FileSystemError } from "@codex/environment";
import {
  createCountingFileSystem,
  createMemoryFileSystem,
  type MemoryFiles,
} from "@codex/environment/testing";
import { describe, expect, test } from "vitest";
import { createReadFileTool } from "../../../src/tools/read-file/tool.ts";
import { runTool } from "../run-tool.ts";

async function read(files: MemoryFiles, args: Record<string, unknown>): Promise<unknown> {
  const fileSystem = createMemoryFileSystem(files);
  return (await runTool(createReadFileTool({ fileSystem }), { file_path: "/f", ...args })).output;
}

const bytes = (...values: (number | string)[]) =>
  Buffer.concat(values.map((value) => Buffer.from(typeof value === "string" ? value : [value])));

describe("tools.md 9: slice", () => {
  test.each([
    ["offset and limit", "alpha\nbeta\ngamma\n", { offset: 2, limit: 2 }, "L2: beta\nL3: gamma"],
    ["an offset beyond the end", "one\n", { offset: 3 }, "offset exceeds file length"],
    ["an empty file", "", {}, "offset exceeds file length"],
    ["bad bytes", bytes(0xff, 0xfe, "\nplain\n"), {}, "L1: \uFFFD\uFFFD\nL2: plain"],
    ["CRLF", "one\r\ntwo\r\n", {}, "L1: one\nL2: two"],
    ["a limit", "a\nb\nc\n", { limit: 2 }, "L1: a\nL2: b"],
    ["a long line", "x".repeat(550), {}, `L1: ${"x".repeat(500)}`],
    ["a long line cut at a character border", `${"x".repeat(499)}é!`, {}, `L1: ${"x".repeat(499)}`],
    ["a last line without a newline", "a\nb", {}, "L1: a\nL2: b"],
    ["two newlines at the end", "a\n\n", {}, "L1: a\nL2: "],
    ["only a newline", "\n", {}, "L1: "],
    ["only one \\r of two", "a\r\r\n", {}, "L1: a\r"],
    ["a \\r on a last line without a newline", "abc\r", {}, "L1: abc"],
    ["a \\r in the middle of a line", "a\rb\n", {}, "L1: a\rb"],
    ["a byte order mark", bytes(0xef, 0xbb, 0xbf, "a\n"), {}, "L1: \uFEFFa"],
    ["a cut three-byte character: one mark", bytes("a", 0xe2, 0x82, "b\n"), {}, "L1: a\uFFFDb"],
  ])("%s", async (_, content, args, expected) => {
    expect(await read({ "/f": content }, args)).toBe(expected);
  });
});

describe("tools.md 9: checks, in their order", () => {
  test.each([
    [{ offset: 0, limit: 0 }, "offset must be a 1-indexed line number"],
    [{ limit: 0, file_path: "f" }, "limit must be greater than zero"],
    [{ file_path: "f" }, "file_path must be an absolute path"],
    [{ file_path: "/none" }, "failed to read file: No such file or directory (os error 2)"],
    [{ file_path: "/" }, "failed to read file: Is a directory (os error 21)"],
    [
      { mode: "indentation", indentation: { anchor_line: 0 } },
      "anchor_line must be a 1-indexed line number",
    ],
    [{ mode: "indentation", indentation: { max_lines: 0 } }, "max_lines must be greater than zero"],
    [{ mode: "indentation", offset: 3 }, "anchor_line exceeds file length"],
    [
      { offset: 1.5 },
      "failed to parse function arguments: field `offset`: expected a whole number, 0 or more",
    ],
  ])("%j: %s", async (args, expected) => {
    expect(await read({ "/f": "a\nb\n" }, args)).toBe(expected);
  });
});

test("a lost executor ends the turn instead of being told to the model", async () => {
  const lost = new FileSystemError("lost", "/f", "the executor is gone");
  const fileSystem = { ...createMemoryFileSystem(), readRange: () => Promise.reject(lost) };
  await expect(runTool(createReadFileTool({ fileSystem }), { file_path: "/f" })).rejects.toBe(lost);
});

test("a small file is one round trip", async () => {
  const fileSystem = createCountingFileSystem(createMemoryFileSystem({ "/f": "a\nb\n" }));
  await runTool(createReadFileTool({ fileSystem }), { file_path: "/f" });
  expect(fileSystem.count().roundTrips).toBe(1);
});

test("seed row I8: the head of a large file moves few bytes, a deep slice few round trips", async () => {
  const large = "x".repeat(99).concat("\n").repeat(100_000);
  const memory = createMemoryFileSystem({ "/f": large });
  const asked: number[] = [];
  const fileSystem: FileSystem = {
    ...memory,
    readRange(path, range, options) {
      asked.push(range.length);
      return memory.readRange(path, range, options);
    },
  };
  const tool = createReadFileTool({ fileSystem });
  const head = await runTool(tool, { file_path: "/f", limit: 1 });
  expect(head.output).toBe(`L1: ${"x".repeat(99)}`);
  expect(asked).toEqual([256 * 1024]);
  const deep = await runTool(tool, { file_path: "/f", offset: 90_001, limit: 1 });
  expect(deep.output).toBe(`L90001: ${"x".repeat(99)}`);
  expect(asked.length - 1).toBeLessThanOrEqual(4);
});

test("a line longer than a block is shown once, cut, and the next line is line 2", async () => {
  const content = `${"é".repeat(400_000)}\nnext\n`;
  expect(await read({ "/f": content }, {})).toBe(`L1: ${"é".repeat(250)}\nL2: next`);
});

test("a character that two blocks share is one character", async () => {
  const first = "x".repeat(256 * 1024 - 9);
  expect(await read({ "/f": `${first}\nline é €\n` }, { offset: 2 })).toBe("L2: line é €");
});

test("no more than 20,000 lines are given at once, and the answer says where to go on", async () => {
  const output = String(await read({ "/f": "a\n".repeat(20_002) }, { limit: 1e19 }));
  expect(output.split("\n").slice(-2)).toEqual([
    "L20000: a",
    "Only 20000 lines are shown at once; go on with offset 20001",
  ]);
});
