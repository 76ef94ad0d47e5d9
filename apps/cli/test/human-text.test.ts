import { expect, test } from "vitest";
import { formatDuration } from "../src/exec/figures.ts";
import { jsonLine } from "../src/exec/json-output.ts";
import { printable } from "../src/exec/printable.ts";
import { shownCommand } from "../src/exec/shown-command.ts";
import { usesColor } from "../src/exec/style.ts";

test.each([
  [0, "0ms"],
  [250, "250ms"],
  [999, "999ms"],
  [1500, "1.50s"],
  [75_000, "1m 15s"],
  [60_000, "1m 00s"],
  [3_723_000, "62m 03s"],
])("session.md 15: %d ms reads %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  ["/bin/bash -lc 'printf \"a b\"'", 'printf "a b"'],
  ["/bin/bash -lc true", "true"],
  [String.raw`/bin/bash -lc "echo \"it's\" \$HOME"`, `echo "it's" $HOME`],
  ["/bin/sh -c 'a\nb'", "a\nb"],
  [String.raw`/bin/bash -lc "it's "'$HOME'\!`, "it's $HOME!"],
  ["python3 script.py", "python3 script.py"],
  ["/bin/bash -lc one two", "/bin/bash -lc one two"],
])("%j is shown as %j", (command, shown) => {
  expect(shownCommand(command)).toBe(shown);
});

test.each([
  ["red \u001b[31mtext\u001b[0m", "red text"],
  ["title \u001b]0;pwned\u0007end", "title end"],
  ["link \u001b]8;;http://x\u001b\\name", "link name"],
  ["a\r\nb\rc", "a\nb\nc"],
  ["bell\u0007 nul\u0000 del\u007f c1\u009b", "bell\u2407 nul\u2400 del\u2421 c1\u2421"],
  ["tab\tand é", "tab\tand é"],
])("output %j cannot steer a terminal", (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test("an event is one line even for readers that split at U+2028 and U+2029", () => {
  const line = jsonLine({ type: "error", message: "a\u2028b\u2029c\nd" });
  expect(line).toBe(String.raw`{"type":"error","message":"a\u2028b\u2029c\nd"}` + "\n");
});

test.each([
  ["auto", true, {}, true],
  ["auto", false, {}, false],
  ["auto", true, { NO_COLOR: "1" }, false],
  ["auto", true, { TERM: "dumb" }, false],
  ["always", false, { NO_COLOR: "1" }, true],
  ["never", true, {}, false],
] as const)("colour %s, terminal %s, %j: %s", (choice, isTerminal, env, expected) => {
  expect(usesColor(choice, isTerminal, env)).toBe(expected);
});
