import { expect, test } from "vitest";
import { historyBudget, recordedOutput } from "../../src/agent/recorded-output.ts";

test("tools.md 5.5: the budget is the model's, or the person's in its place, with a fifth on top", () => {
  expect(historyBudget({ unit: "tokens", limit: 10_000 }, undefined)).toEqual({
    unit: "tokens",
    limit: 12_000,
  });
  expect(historyBudget({ unit: "tokens", limit: 10_000 }, 50)).toEqual({
    unit: "tokens",
    limit: 60,
  });
  expect(historyBudget({ unit: "bytes", limit: 10_000 }, 50)).toEqual({
    unit: "bytes",
    limit: 240,
  });
});

test("tools.md 5.5: one text is cut in the middle, without a header", () => {
  expect(recordedOutput("abcdefghij", { unit: "bytes", limit: 4 })).toBe("ab…6 chars truncated…ij");
  expect(recordedOutput("short", { unit: "bytes", limit: 40 })).toBe("short");
});

test("tools.md 5.5: texts share the budget, the rest is counted, images stay", () => {
  const image = { type: "input_image", image_url: "data:image/png;base64,AA==" } as const;
  const text = (value: string) => ({ type: "input_text", text: value }) as const;
  expect(
    recordedOutput([text("aaaa"), image, text("bbbbbbbb"), text("c"), image, text("d")], {
      unit: "bytes",
      limit: 8,
    }),
  ).toEqual([
    text("aaaa"),
    image,
    text("bb…4 chars truncated…bb"),
    image,
    text("[omitted 2 text items ...]"),
  ]);
});

test("no half of a surrogate pair gets into the history, whatever the budget", () => {
  expect(recordedOutput("a\ud83d b\ude00 😀", { unit: "bytes", limit: 40 })).toBe(
    "a\ufffd b\ufffd 😀",
  );
  const halves = /\p{Surrogate}/u;
  for (let limit = 0; limit <= 40; limit += 1) {
    const kept = recordedOutput("x😀é\ud83d😀".repeat(9), { unit: "bytes", limit });
    expect(kept).not.toMatch(halves);
    const parts = recordedOutput([{ type: "input_text", text: "😀".repeat(40) }], {
      unit: "tokens",
      limit,
    });
    expect(JSON.stringify(parts)).not.toMatch(/\\ud[89a-f]/);
  }
});
