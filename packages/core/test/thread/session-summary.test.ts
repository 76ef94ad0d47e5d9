import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readRollout } from "../../src/thread/rollout-reader.ts";
import { readSessionSummary } from "../../src/thread/session-summary.ts";

const lines = (...records: readonly (readonly [string, unknown])[]): string =>
  records
    .map(
      ([type, payload]) =>
        `${JSON.stringify({ timestamp: "2026-01-02T03:04:05.000Z", type, payload })}\n`,
    )
    .join("");

function fileOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "summary-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "rollout.jsonl");
  writeFileSync(path, text);
  return path;
}

const long = "é".repeat(200_000);
const text = lines(
  ["session_meta", { id: "T", cwd: "/w", model: "m", base_instructions: { text: long } }],
  ["event_msg", { type: "task_started" }],
  ["turn_context", { workdir: "/here", model: "m2" }],
  ["event_msg", { type: "user_message", message: "go\u2028on" }],
  [
    "response_item",
    { type: "message", role: "user", content: [{ type: "input_text", text: long }] },
  ],
  ["tool_output", { type: "function_call_output", call_id: "a", output: long }],
  ["event_msg", { type: "task_complete", last_agent_message: "bye" }],
);

test("a summary says of a thread what the whole reading says, lines longer than a chunk included", () => {
  const summary = readSessionSummary(fileOf(text));
  expect(readRollout(text)).toMatchObject({ ...summary });
  expect(summary).toMatchObject({ firstPrompt: "go\u2028on", lastMessage: "bye", turns: 1 });
});

test("a file cut in its last line keeps what is before it; one that names no thread has no summary", () => {
  const cut = text.slice(0, -20);
  expect(readSessionSummary(fileOf(cut))).toMatchObject({ id: "T", lastMessage: undefined });
  expect(readSessionSummary(fileOf(text.slice(0, 50)))).toBeUndefined();
  expect(readSessionSummary("/does/not/exist")).toBeUndefined();
});
