import { describe, expect, it, test } from "vitest";
import type { OutputBudget } from "../../src/model/models.ts";
import {
  type CommandResult,
  execResultText,
  outputBudgetFor,
  outputWithinBudget,
} from "../../src/unified-exec/exec-result.ts";
import { outputText } from "../../src/unified-exec/retained-text.ts";

const tokens = (limit: number): OutputBudget => ({ unit: "tokens", limit });
const bytes = (limit: number): OutputBudget => ({ unit: "bytes", limit });

function printed(text: string) {
  return outputText({ head: Buffer.from(text), tail: Buffer.alloc(0), omittedBytes: 0 });
}

const finished: CommandResult = {
  kind: "command",
  chunkId: "00a1ff",
  wallTimeMs: 361.23,
  state: { kind: "exited", code: 0, isSandboxDenial: false },
  output: printed("hello\n"),
  budget: tokens(10_000),
};

describe("exec-cli.md 4: the answer", () => {
  it("tells chunk, wait, exit code, size and output, with no newline added", () => {
    expect(execResultText(finished)).toBe(
      "Chunk ID: 00a1ff\nWall time: 0.3612 seconds\nProcess exited with code 0\nOriginal token count: 2\nOutput:\nhello\n",
    );
  });

  it("names the session of a command that runs on", () => {
    expect(
      execResultText({
        ...finished,
        wallTimeMs: 0,
        state: { kind: "running", sessionId: 11972 },
        output: printed(""),
      }),
    ).toBe(
      "Chunk ID: 00a1ff\nWall time: 0.0000 seconds\nProcess running with session ID 11972\nOriginal token count: 0\nOutput:\n",
    );
  });

  it("is short for a command that was understood as something else", () => {
    expect(execResultText({ kind: "intercepted", text: "Exit code: 0\n" })).toBe(
      "Wall time: 0.0000 seconds\nOutput:\nExit code: 0\n",
    );
  });
});

describe("exec-cli.md 4: output over its budget", () => {
  it("is headed by a warning, the number of lines and an empty line", () => {
    expect(outputWithinBudget(printed("1\n2\n3\n4\n5\n"), tokens(1))).toBe(
      "Warning: truncated output (original token count: 3)\nTotal output lines: 5\n\n1\n…2 tokens truncated…5\n",
    );
  });

  it("tells the omitted bytes instead of lines; T counts the original, K the retained text", () => {
    const output = outputText({
      head: Buffer.alloc(524_288, "a"),
      tail: Buffer.alloc(524_288, "z"),
      omittedBytes: 3_740_319,
    });
    expect(output.text.length).toBe(1_048_607);
    expect(outputWithinBudget(output, tokens(10_000))).toBe(
      "Warning: truncated output (original token count: 1197224)\n... 3740319 bytes omitted ...\n\n" +
        `${"a".repeat(20_000)}…252152 tokens truncated…${"z".repeat(20_000)}`,
    );
  });

  it("is the marker alone for a budget of nothing", () => {
    expect(outputWithinBudget(printed("abcdef\n"), tokens(0))).toBe(
      "Warning: truncated output (original token count: 2)\nTotal output lines: 1\n\n…2 tokens truncated…",
    );
  });
});

test.each([
  [undefined, tokens(10_000), undefined, tokens(10_000)],
  [100, tokens(10_000), undefined, tokens(100)],
  [100_000, tokens(10_000), undefined, tokens(10_000)],
  [100_000, tokens(10_000), 50_000, tokens(50_000)],
  [undefined, tokens(10_000), 50_000, tokens(10_000)],
  [undefined, tokens(10_000), 200, tokens(200)],
  [300, tokens(10_000), 200, tokens(200)],
  [undefined, bytes(10_000), undefined, bytes(10_000)],
  [undefined, bytes(10_000), 100_000, bytes(400_000)],
  [1_000, bytes(10_000), undefined, tokens(1_000)],
  [10_000, bytes(10_000), undefined, tokens(2_500)],
  [0, bytes(10_000), undefined, tokens(0)],
])(
  "exec-cli.md 4: asked for %s tokens of a model with %o and a limit of %s, it shows %o",
  (requested, modelBudget, limit, expected) => {
    expect(outputBudgetFor(requested, modelBudget, limit)).toEqual(expected);
  },
);
