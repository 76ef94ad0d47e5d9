import { describe, expect, test } from "vitest";
import { readRollout, RolloutError } from "../../src/thread/rollout-reader.ts";

const usage = {
  input_tokens: 100,
  cached_input_tokens: 20,
  cache_write_input_tokens: 0,
  output_tokens: 10,
  reasoning_output_tokens: 3,
};
const message = (text: string) => ({
  type: "message",
  role: "user",
  content: [{ type: "input_text", text }],
});
const call = (id: string) => ({
  type: "function_call",
  call_id: id,
  name: "exec_command",
  arguments: "{}",
});
const output = (id: string, text: string) => ({
  type: "function_call_output",
  call_id: id,
  output: text,
});

function rollout(...records: readonly (readonly [string, unknown])[]): string {
  return records
    .map(
      ([type, payload]) =>
        `${JSON.stringify({ timestamp: "2026-01-02T03:04:05.000Z", type, payload })}\n`,
    )
    .join("");
}

const meta = ["session_meta", { id: "T", cwd: "/w", model: "m", model_provider: "p" }] as const;

describe("session.md 13: reading a rollout", () => {
  test("items, usage, turns and the last message come back", () => {
    const text = rollout(
      meta,
      ["event_msg", { type: "task_started" }],
      ["event_msg", { type: "user_message", message: "go" }],
      ["response_item", message("go")],
      ["response_item", call("a")],
      ["tool_output", output("a", "done")],
      ["response_item", output("a", "done")],
      ["event_msg", { type: "token_count", thread: usage }],
      ["event_msg", { type: "task_complete", last_agent_message: "bye" }],
    );
    expect(readRollout(text)).toEqual({
      id: "T",
      cwd: "/w",
      workdir: "/w",
      environment: "local",
      model: "m",
      modelProvider: "p",
      startedAt: "2026-01-02T03:04:05.000Z",
      items: [message("go"), call("a"), output("a", "done")],
      lostOutputs: [],
      usage,
      turns: 1,
      firstPrompt: "go",
      lastMessage: "bye",
      invalidLines: 0,
      endsWithNewline: true,
    });
  });

  test("an output that had no place yet when the run was killed is kept, in call order", () => {
    const text = rollout(
      meta,
      ["response_item", call("a")],
      ["response_item", call("b")],
      ["tool_output", output("b", "2")],
      ["tool_output", output("a", "1")],
    );
    expect(readRollout(text)).toMatchObject({
      items: [call("a"), call("b")],
      lostOutputs: [output("a", "1"), output("b", "2")],
    });
  });

  test("a call the run was killed at does not look as if it had not run", () => {
    const patch = { type: "custom_tool_call", call_id: "b", name: "apply_patch", input: "" };
    const text = rollout(meta, ["response_item", call("a")], ["response_item", patch]);
    const answer = expect.stringMatching(/^aborted: .* may have done all or part of its work/);
    expect(readRollout(text).lostOutputs).toEqual([
      { type: "function_call_output", call_id: "a", output: answer },
      { type: "custom_tool_call_output", call_id: "b", output: answer },
    ]);
  });

  test("settings are those of the last turn, the folder the thread began in stays", () => {
    const text = rollout(
      meta,
      ["turn_context", { cwd: "/w", workdir: "/here", environment: "far", model: "m2" }],
      ["turn_context", { cwd: "/x", workdir: "/there", model: "m3", model_provider: "q" }],
    );
    expect(readRollout(text)).toMatchObject({
      cwd: "/w",
      workdir: "/there",
      environment: "far",
      model: "m3",
      modelProvider: "q",
    });
  });

  test("a summary replaces what was before it", () => {
    const text = rollout(
      meta,
      ["response_item", message("old")],
      ["compacted", { message: "sum", replacement_history: [message("sum")] }],
      ["response_item", message("new")],
    );
    expect(readRollout(text).items).toEqual([message("sum"), message("new")]);
  });

  test("blank lines are skipped, broken ones and unknown records are counted, U+2028 ends no line", () => {
    const text = `${rollout(meta)}\n\nnot json\n${rollout(["from_the_future", {}], ["response_item", message("a\u2028b")])}`;
    expect(readRollout(text)).toMatchObject({ items: [message("a\u2028b")], invalidLines: 2 });
  });

  test("a file cut at any byte after its first line gives a prefix of its items", () => {
    const text = rollout(
      meta,
      ["response_item", message("one")],
      ["response_item", call("a")],
      ["response_item", output("a", "x")],
    );
    const whole = readRollout(text).items;
    for (let at = rollout(meta).length; at <= text.length; at += 1) {
      const cut = readRollout(text.slice(0, at));
      expect(cut.items).toEqual(whole.slice(0, cut.items.length));
      expect(cut.endsWithNewline).toBe(text[at - 1] === "\n");
    }
  });

  test("an empty file and one without a thread id are errors with the contract's words", () => {
    expect(() => readRollout("\n")).toThrow(new RolloutError("empty session file"));
    expect(() => readRollout(rollout(["response_item", message("x")]))).toThrow(
      new RolloutError("failed to parse thread ID from rollout file"),
    );
  });
});
