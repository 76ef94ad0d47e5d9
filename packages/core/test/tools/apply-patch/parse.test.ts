import { describe, expect, test } from "vitest";
import { type Hunk, parsePatch } from "../../../src/tools/apply-patch/parse.ts";

const wrap = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

const context = (text: string) => ({ kind: "context", text }) as const;
const removed = (text: string) => ({ kind: "removed", text }) as const;
const added = (text: string) => ({ kind: "added", text }) as const;
const chunk = (...lines: ReturnType<typeof context | typeof removed | typeof added>[]) => ({
  context: undefined,
  lines,
  isEndOfFile: false,
});
const update = (path: string, ...chunks: ReturnType<typeof chunk>[]): Hunk => ({
  type: "update",
  path,
  moveTo: undefined,
  chunks,
});

describe("tools.md 8.2: what is accepted", () => {
  const addA: Hunk[] = [{ type: "add", path: "a", text: "x\n" }];
  test.each<[string, string, Hunk[]]>([
    ["an added file", wrap("*** Add File: a", "+x"), addA],
    ["an empty added file", wrap("*** Add File: a"), [{ type: "add", path: "a", text: "" }]],
    ["no hunk at all", wrap(), []],
    ["white space around the patch", `  ${wrap("*** Add File: a", "+x")}\n\n`, addA],
    [
      "white space around markers and headers",
      " *** Begin Patch \n  *** Add File: a  \n+x\n *** End Patch ",
      addA,
    ],
    ["a heredoc wrapper", `<<'EOF'\n${wrap("*** Add File: a", "+x")}\nEOF`, addA],
    ["a bare heredoc wrapper", `<<EOF\n${wrap("*** Add File: a", "+x")}\nEOF`, addA],
    ["CRLF between lines", wrap("*** Add File: a", "+x").replaceAll("\n", "\r\n"), addA],
    [
      "all kinds in order",
      wrap(
        "*** Delete File: d",
        "*** Update File: u",
        "@@ fn b",
        " k",
        "-o",
        "+n",
        "*** Add File: a",
        "+x",
      ),
      [
        { type: "delete", path: "d" },
        update("u", { ...chunk(context("k"), removed("o"), added("n")), context: "fn b" } as never),
        ...addA,
      ],
    ],
    [
      "a move",
      wrap("*** Update File: u", "*** Move to: v", "@@", "-o", "+n"),
      [{ type: "update", path: "u", moveTo: "v", chunks: [chunk(removed("o"), added("n"))] }],
    ],
    [
      "a move that changes nothing",
      wrap("*** Update File: u", "*** Move to: v"),
      [{ type: "update", path: "u", moveTo: "v", chunks: [] }],
    ],
    [
      "a missing first @@, blank lines between chunks, the end-of-file marker",
      wrap("*** Update File: u", "", "-o", "@@", "", "+n", "*** End of File", "", "@@ c", " k"),
      [
        {
          type: "update",
          path: "u",
          moveTo: undefined,
          chunks: [
            chunk(removed("o")),
            { ...chunk(context(""), added("n")), isEndOfFile: true },
            { ...chunk(context("k")), context: "c" },
          ],
        },
      ],
    ],
  ])("%s", (_, text, expected) => {
    expect(parsePatch(text)).toEqual(expected);
  });
});

describe("tools.md 8.2: errors, lines counted from the begin marker", () => {
  const first = "invalid patch: The first line of the patch must be '*** Begin Patch'";
  const last = "invalid patch: The last line of the patch must be '*** End Patch'";
  const signs =
    "Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)";
  const headers =
    "Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'";
  test.each([
    ["", first],
    ["hello", first],
    ["*** Begin Patch\n*** Add File: z\n+z\n", last],
    ["*** Begin Patch", last],
    ["<<'EOF'\n*** Begin Patch\n*** Add File: z\nEOF", last],
    ["<<'EOF'\nhello\n*** End Patch\nEOF", first],
    [
      wrap("*** Frobnicate File: x"),
      `invalid hunk at line 2, '*** Frobnicate File: x' is not a valid hunk header. ${headers}`,
    ],
    [
      wrap("*** Add File: bad.txt", "no plus"),
      `invalid hunk at line 3, 'no plus' is not a valid hunk header. ${headers}`,
    ],
    [wrap("*** Update File: f"), "invalid hunk at line 2, Update file hunk for path 'f' is empty"],
    [
      wrap("*** Add File: a", "+x", "*** Update File: f", "@@"),
      "invalid hunk at line 6, Update hunk does not contain any lines",
    ],
    [
      wrap("*** Update File: f", "@@", "*** End of File"),
      "invalid hunk at line 4, Update hunk does not contain any lines",
    ],
    [
      wrap("*** Update File: f", "@@", "nope"),
      `invalid hunk at line 4, Unexpected line found in update hunk: 'nope'. ${signs}`,
    ],
    [
      wrap("*** Update File: f", "@@", "-a", "nope"),
      "invalid hunk at line 5, Expected update hunk to start with a @@ context marker, got: 'nope'",
    ],
  ])("%j", (text, message) => {
    expect(() => parsePatch(text)).toThrow(
      expect.objectContaining({ name: "PatchError", message }),
    );
  });
});
