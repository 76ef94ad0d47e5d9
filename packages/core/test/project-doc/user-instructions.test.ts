import { createMemoryFileSystem } from "@codex/environment/testing";
import { toAbsolutePath } from "@codex/protocol";
import { expect, test } from "vitest";
import { loadGlobalInstructions } from "../../src/project-doc/global-instructions.ts";
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

test.each([
  ["the override, trimmed", { "/h/AGENTS.override.md": "\n mine \n", "/h/AGENTS.md": "x" }, "mine"],
  ["a blank override falls through", { "/h/AGENTS.override.md": " \n", "/h/AGENTS.md": "x" }, "x"],
  [
    "an override that is not UTF-8 falls through",
    { "/h/AGENTS.override.md": Buffer.from([0xff]), "/h/AGENTS.md": "x" },
    "x",
  ],
  [
    "a directory of that name falls through",
    { "/h/AGENTS.override.md/": "", "/h/AGENTS.md": "x" },
    "x",
  ],
  ["none", { "/h/": "" }, undefined],
])("project-doc.md 2: the person's own text: %s", async (_, files, expected) => {
  const fileSystem = createMemoryFileSystem(files as Record<string, string | Uint8Array>);
  expect(await loadGlobalInstructions(fileSystem, toAbsolutePath("/h"))).toBe(expected);
});
