import { describe, expect, test } from "vitest";
import { baseInstructions } from "../../src/model/instructions.ts";

const withPatch = baseInstructions({ applyPatch: "freeform" });
const withoutPatch = baseInstructions({ applyPatch: "none" });

describe("baseInstructions", () => {
  test.each([
    ["who it is", /^You are a coding agent\b/],
    ["that nobody can be asked", /do not stop to ask/],
    ["to use tools instead of guessing", /Use tools to learn facts; do not guess/],
    ["to look before it acts", /Look before you act/],
    [
      "where AGENTS.md comes from and how far it reaches",
      /AGENTS\.md[^]*everything below[^]*deeper file wins/,
    ],
    ["how a running command goes on", /`write_stdin` with that id/],
    ["when to ask for a terminal", /`tty: true`/],
    ["to touch nothing that was not asked for", /nothing beside it/],
    ["to keep what others changed", /changes that are not yours\. Never undo/],
    ["not to commit unasked", /Do not commit, push/],
    ["to verify", /Check your work/],
    ["to report only checks that ran", /only if you ran it/],
    ["what the final answer looks like", /Begin with the result/],
    ["to obey a prescribed form", /exactly that form/],
  ])("tells every model %s", (_what, expression) => {
    expect(withPatch).toMatch(expression);
    expect(withoutPatch).toMatch(expression);
  });

  test("names every marker of a patch to a model that has the tool", () => {
    for (const marker of [
      "*** Begin Patch",
      "*** End Patch",
      "*** Add File: ",
      "*** Update File: ",
      "*** Move to: ",
      "*** Delete File: ",
      "@@",
    ]) {
      expect(withPatch).toContain(marker);
    }
  });

  test("does not speak of a patch tool to a model that has none", () => {
    expect(withoutPatch).not.toContain("apply_patch");
    expect(withoutPatch).toContain("here-document");
  });

  test("is short: the original sends 21 299 characters", () => {
    expect(withPatch.length).toBeLessThan(6000);
  });
});
