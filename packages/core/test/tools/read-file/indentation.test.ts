import { createMemoryFileSystem } from "@codex/environment/testing";
import { describe, expect, test } from "vitest";
import { createReadFileTool } from "../../../src/tools/read-file/tool.ts";
import { runTool } from "../run-tool.ts";

const braces = ["fn outer() {", "    if ready {", "        inner();", "    }", "}", "tail();"];

const nested = [
  "mod area {",
  "    fn work() {",
  "        if ready {",
  "            inner();",
  "        }",
  "    }",
  "}",
];

const siblings = [
  "fn both() {",
  "    if first {",
  "        one();",
  "    }",
  "    if second {",
  "        two();",
  "    }",
  "}",
];

const python = [
  "class Left:",
  "    def grow(self, by):",
  "        self.size += by",
  "        return self",
  "",
  "    def shrink(self, by):",
  "        self.size -= by",
  "        return self",
  "",
  "class Right:",
  "    pass",
];

const cpp = [
  "#include <map>",
  "#include <string>",
  "",
  "namespace area {",
  "class Worker {",
  "public:",
  "    void prepare() {",
  "        if (is_on_) {",
  "            open();",
  "        }",
  "    }",
  "",
  "    // Does the work.",
  "    int work() const {",
  "        switch (mode_) {",
  "            case Mode::A:",
  "                return a();",
  "            case Mode::B:",
  "                return b();",
  "            default:",
  "                return c();",
  "        }",
  "    }",
  "",
  "private:",
  "    bool is_on_ = false;",
  "};",
  "}",
];

async function around(lines: readonly string[], args: Record<string, unknown>): Promise<unknown> {
  const fileSystem = createMemoryFileSystem({ "/f": `${lines.join("\n")}\n` });
  const { limit, offset, ...indentation } = args;
  const input = { file_path: "/f", mode: "indentation", limit, offset, indentation };
  return (await runTool(createReadFileTool({ fileSystem }), input)).output;
}

function lines(of: readonly string[], first: number, last: number): string {
  return of
    .slice(first - 1, last)
    .map((line, index) => `L${first + index}: ${line}`)
    .join("\n");
}

describe("tools.md 9: indentation", () => {
  test.each([
    ["nested braces", braces, { anchor_line: 3, max_levels: 1 }, 2, 4],
    ["two levels", nested, { anchor_line: 4, max_levels: 2 }, 2, 6],
    ["three levels", nested, { anchor_line: 4, max_levels: 3 }, 1, 7],
    ["siblings off", siblings, { anchor_line: 3, max_levels: 1 }, 2, 4],
    ["siblings on", siblings, { anchor_line: 3, max_levels: 1, include_siblings: true }, 2, 7],
    ["a switch, one level", cpp, { anchor_line: 18, max_levels: 1 }, 15, 22],
    ["two levels, comment included", cpp, { anchor_line: 18, max_levels: 2 }, 13, 23],
    [
      "two levels, no header",
      cpp,
      { anchor_line: 18, max_levels: 2, include_header: false },
      14,
      23,
    ],
    [
      "two levels with siblings, a blank line inside",
      cpp,
      { anchor_line: 18, max_levels: 2, include_siblings: true, include_header: false },
      7,
      23,
    ],
    ["the anchor alone", cpp, { anchor_line: 18, max_lines: 1 }, 18, 18],
    ["limit alone", cpp, { anchor_line: 18, limit: 1 }, 18, 18],
    ["the offset as anchor", braces, { offset: 3, max_levels: 1 }, 2, 4],
    ["up before down when the limit is even", nested, { anchor_line: 4, max_lines: 2 }, 3, 4],
  ])("%s", async (_, of, args, first, last) => {
    expect(await around(of, args)).toBe(lines(of, first, last));
  });

  test("a Python class with siblings leaves its neighbour out", async () => {
    const args = { anchor_line: 7, max_levels: 1, include_siblings: true, limit: 200 };
    expect(await around(python, args)).toBe(lines(python, 2, 8));
  });

  test("a tab counts as four blanks", async () => {
    const tabs = ["\tif ready {", "\t\tinner();", "    }", "other();"];
    expect(await around(tabs, { anchor_line: 2, max_levels: 1 })).toBe(lines(tabs, 1, 3));
  });
});

test("the block far down a large file is found without keeping what lies above", async () => {
  const filler = Array.from({ length: 50_000 }, (_, index) => `line ${index};`);
  const of = [...filler, ...braces];
  expect(await around(of, { anchor_line: 50_003, max_levels: 1, limit: 10 })).toBe(
    lines(of, 50_002, 50_004),
  );
});
