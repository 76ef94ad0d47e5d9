import { expect, test } from "vitest";
import { agentsFragment, userInstructions } from "../../src/project-doc/user-instructions.ts";

test.each([
  ["project-doc.md 10, 9: both", "base", "proj doc", "base\n\n--- project-doc ---\n\nproj doc"],
  ["project-doc.md 10, 10: only the person's", "base", undefined, "base"],
  ["only the project's, no separator", undefined, "proj doc", "proj doc"],
  ["project-doc.md 5: neither", undefined, undefined, undefined],
])("%s", (_, globalText, docsText, expected) => {
  expect(userInstructions(globalText, docsText)).toBe(expected);
});

test("exec-cli.md 6: the fragment, with and without a directory", () => {
  expect(agentsFragment("/w/sub", "GLOBAL\n\n--- project-doc ---\n\nROOT text\n")).toBe(
    "# AGENTS.md instructions for /w/sub\n\n<INSTRUCTIONS>\nGLOBAL\n\n--- project-doc ---\n\nROOT text\n\n</INSTRUCTIONS>",
  );
  expect(agentsFragment(undefined, "GLOBAL")).toBe(
    "# AGENTS.md instructions\n\n<INSTRUCTIONS>\nGLOBAL\n</INSTRUCTIONS>",
  );
});
