import { describe, expect, test } from "vitest";
import { modelInfoFor, withSupportedTools } from "../../src/model/models.ts";

describe("modelInfoFor", () => {
  test("exec-cli.md 2: gpt-5.5 has direct tools, a freeform patch tool and a budget in tokens", () => {
    expect(modelInfoFor("gpt-5.5")).toEqual({
      name: "gpt-5.5",
      isKnown: true,
      contextWindow: 272_000,
      applyPatch: "freeform",
      outputBudget: { unit: "tokens", limit: 10_000 },
      supportsImages: true,
      imageDetail: "original",
      supportsParallelToolCalls: true,
      reasoning: { effort: "medium" },
      verbosity: "low",
      experimentalSupportedTools: [],
    });
  });

  test("exec-cli.md 2: an unknown name gets a budget in bytes, no patch tool and a reasoning summary", () => {
    expect(modelInfoFor("llama-9")).toEqual({
      name: "llama-9",
      isKnown: false,
      contextWindow: 272_000,
      applyPatch: "none",
      outputBudget: { unit: "bytes", limit: 10_000 },
      supportsImages: true,
      imageDetail: "high",
      supportsParallelToolCalls: true,
      reasoning: { summary: "auto" },
      experimentalSupportedTools: [],
    });
  });

  test.each([
    ["gpt-5.5-2026-02-01", true],
    ["gpt-5.5-mini", false],
    ["GPT-5.5", false],
    ["constructor", false],
    ["", false],
  ])("the name %j is known: %j, and kept as it was given", (name, isKnown) => {
    expect(modelInfoFor(name)).toMatchObject({ name, isKnown });
  });

  test("seed row F1: configured tools come after the model's own", () => {
    const info = modelInfoFor("gpt-5.5", { experimentalSupportedTools: ["read_file", "list_dir"] });
    expect(info.experimentalSupportedTools).toEqual(["read_file", "list_dir"]);
  });

  test("seed row F2: a tool both name is there once, in the model's place", () => {
    const model = { ...modelInfoFor("gpt-5.5"), experimentalSupportedTools: ["grep_files"] };
    const merged = withSupportedTools(model, ["read_file", "grep_files", "read_file"]);
    expect(merged.experimentalSupportedTools).toEqual(["grep_files", "read_file"]);
    expect(model.experimentalSupportedTools).toEqual(["grep_files"]);
  });
});
