import { expect, test } from "vitest";
import { parse } from "smol-toml";
import { locateKey } from "../../src/config/source-position.ts";

const source = `# comment with key = 1
a = 1
"b c" = 'x = 2' # c
d.e.f = 2024-01-02 03:04:05
s = """
g = 1
\\""" still
"""
l = '''
h = 2'''
list = [ # [x]
  "one, ]", 'two',
  { k = 1, "q.r" = [3, 4] },
]
inline = { a = 1, b.c = { d = "}" } }

[ t . "u v" ]
w = true
[[arr]]
n = 1
[[arr]]
n = 2
[arr.sub]
m = 3
`;

test.each([
  [["a"], "a", "1"],
  [["b c"], '"b c"', "'x = 2'"],
  [["d"], "d", undefined],
  [["d", "e", "f"], "f", "2024-01-02 03:04:05"],
  [["s"], "s", '"""'],
  [["l"], "l", "'''"],
  [["list"], "list", "[ # [x]"],
  [["list", "0"], '"one, ]"', '"one, ]"'],
  [["list", "1"], "'two'", "'two'"],
  [["list", "2", "k"], "k", "1"],
  [["list", "2", "q.r"], '"q.r"', "[3, 4]"],
  [["list", "2", "q.r", "1"], "4", "4"],
  [["inline", "a"], "a", "1"],
  [["inline", "b", "c", "d"], "d", '"}"'],
  [["inline", "missing"], "inline", '{ a = 1, b.c = { d = "}" } }'],
  [["t"], "t", undefined],
  [["t", "u v"], '"u v"', undefined],
  [["t", "u v", "w"], "w", "true"],
  [["arr", "0", "n"], "n", "1"],
  [["arr", "1", "n"], "n", "2"],
])("the place of %j", (path, key, value) => {
  parse(source); // the text is valid TOML, which the scanner relies on
  const position = locateKey(source, path)!;
  const textAt = (
    range: { line: number; column: number; endColumn: number } | undefined,
  ): unknown =>
    range && source.split("\n")[range.line - 1]!.slice(range.column - 1, range.endColumn - 1);
  expect([textAt(position.key), textAt(position.value)]).toEqual([key, value]);
});

test("a key that is not there has no place", () => {
  expect(locateKey(source, ["g"])).toBeUndefined();
  expect(locateKey(source, ["h"])).toBeUndefined();
  expect(locateKey(source, [])).toBeUndefined();
});
