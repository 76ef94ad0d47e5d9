import { expect, test } from "vitest";
import type { CommandExecution, ThreadEvent } from "@codex/protocol";
import { humanOutput } from "../src/exec/human-output.ts";
import { LiveLine } from "../src/exec/live-line.ts";
import type { StandardOutput } from "../src/standard-output.ts";

interface Screen extends StandardOutput {
  readonly text: () => string;
}

function screen(isTerminal: boolean): Screen {
  let text = "";
  return {
    isTerminal,
    columns: () => 40,
    write: (more) => void (text += more),
    flushed: async () => {},
    text: () => text,
  };
}

const usage = {
  input_tokens: 2000,
  cached_input_tokens: 500,
  cache_write_input_tokens: 0,
  output_tokens: 34,
  reasoning_output_tokens: 0,
};
const started: ThreadEvent = { type: "thread.started", thread_id: "T", schema_version: 1 };
const completed: ThreadEvent = {
  type: "turn.completed",
  usage,
  turn_usage: usage,
  tool_failures: 0,
};

function command(id: string, more: Partial<CommandExecution> = {}): CommandExecution {
  return {
    id,
    type: "command_execution",
    command: "/bin/bash -lc 'npm test'",
    aggregated_output: "",
    exit_code: null,
    status: "in_progress",
    ...more,
  };
}

interface Played {
  readonly stdout: string;
  readonly stderr: string;
}

function play(
  events: readonly ThreadEvent[],
  options: {
    readonly isTerminal?: boolean;
    readonly hidesReasoning?: boolean;
    readonly stepMs?: number;
  } = {},
): Played {
  const { isTerminal = false, hidesReasoning = false, stepMs = 250 } = options;
  let nowMs = 0;
  const stdout = screen(false);
  const stderr = screen(isTerminal);
  const output = humanOutput(
    { stdout, stderr, now: () => (nowMs += stepMs) },
    {
      title: "codex-runtime 1.2.3",
      header: { workdir: "/w", model: "m" },
      prompt: "do it",
      isColored: false,
      hidesReasoning,
    },
  );
  let last: string | undefined;
  for (const event of events) {
    output.event(event);
    if (event.type === "item.completed" && event.item.type === "agent_message")
      last = event.item.text;
  }
  output.finish(last);
  return { stdout: stdout.text(), stderr: stderr.text() };
}

const header = `codex-runtime 1.2.3
--------
workdir: /w
model: m
session id: T
--------
user
do it
`;

test("a run reads as header, prompt, commands with their output, message, tokens; stdout is the message", () => {
  const done = command("item_0", { exit_code: 0, status: "completed", aggregated_output: "ok\n" });
  expect(
    play([
      started,
      { type: "turn.started" },
      { type: "item.started", item: command("item_0") },
      { type: "item.completed", item: done },
      { type: "item.completed", item: { id: "item_1", type: "agent_message", text: "All pass." } },
      completed,
    ]),
  ).toEqual({
    stdout: "All pass.\n",
    stderr: `${header}$ npm test
  succeeded in 250ms
  ok
codex
All pass.
tokens used: 1,534
`,
  });
});

test("commands that ran side by side name themselves again at their end", () => {
  const first = command("item_0", { command: "/bin/bash -lc one" });
  const second = command("item_1", { command: "/bin/bash -lc two" });
  const { stderr } = play([
    { type: "item.started", item: first },
    { type: "item.started", item: second },
    { type: "item.completed", item: { ...first, exit_code: 1, status: "failed" } },
    { type: "item.completed", item: { ...second, exit_code: null, status: "failed" } },
  ]);
  expect(stderr).toBe(`$ one
$ two
$ one
  exited 1 in 500ms
$ two
  was still running and was ended
`);
});

test("of long output the end is shown and the rest is counted", () => {
  const lines = Array.from({ length: 50 }, (_, index) => `line ${index + 1}`).join("\n");
  const item = command("item_0", { aggregated_output: `${lines}\n`, exit_code: 0 });
  const shown = play([{ type: "item.completed", item }]).stderr.split("\n");
  expect(shown.slice(0, 4)).toEqual([
    "$ npm test",
    "  succeeded",
    "  … 30 lines above",
    "  line 31",
  ]);
  expect(shown.at(-2)).toBe("  line 50");
});

test("items of every kind have words for a person", () => {
  const { stderr } = play([
    { type: "item.completed", item: { id: "0", type: "reasoning", text: "hm" } },
    {
      type: "item.completed",
      item: {
        id: "1",
        type: "file_change",
        status: "completed",
        changes: [
          { path: "/w/a", kind: "add" },
          { path: "/w/b", kind: "update" },
          { path: "/w/c", kind: "delete" },
        ],
      },
    },
    {
      type: "item.started",
      item: {
        id: "2",
        type: "todo_list",
        items: [
          { text: "look", completed: true },
          { text: "fix", completed: false },
        ],
      },
    },
    { type: "item.completed", item: { id: "2", type: "todo_list", items: [] } },
    {
      type: "item.completed",
      item: { id: "3", type: "web_search", query: "q", action: { type: "search" } },
    },
    { type: "item.completed", item: { id: "4", type: "error", message: "careful" } },
    { type: "environment.lost", environment: "box", message: "connection lost" },
  ]);
  expect(stderr).toBe(`thinking
hm
patch
  A /w/a
  M /w/b
  D /w/c
plan
  ✓ look
  • fix
web search q
warning: careful
box: connection lost
`);
});

test("hidden reasoning stays hidden", () => {
  const item = { id: "0", type: "reasoning", text: "secret" } as const;
  expect(play([{ type: "item.completed", item }], { hidesReasoning: true }).stderr).toBe("");
});

test("the error that ends a turn is said once, and nothing goes to stdout", () => {
  const message = "unexpected status 401";
  const failed: ThreadEvent = {
    type: "turn.failed",
    error: { message, kind: "model" },
    usage,
    turn_usage: usage,
  };
  expect(play([{ type: "error", message }, failed])).toEqual({
    stdout: "",
    stderr: `error: ${message}\ntokens used: 1,534\n`,
  });
});

test("on a terminal a live line says what is going on; what stays is printed above it", () => {
  const { stderr } = play(
    [
      { type: "turn.started" },
      { type: "item.started", item: command("item_0") },
      { type: "item.completed", item: command("item_0", { exit_code: 0 }) },
      completed,
    ],
    { isTerminal: true, stepMs: 0 },
  );
  const clear = "\r\u001b[2K";
  const frames = stderr.split(clear);
  expect(frames).toContain("waiting for the model 0s");
  expect(frames).toContain("running npm test 0s");
  const kept = frames.map((frame) => frame.slice(0, frame.lastIndexOf("\n") + 1));
  expect(kept.join("")).toBe("$ npm test\n  succeeded in 0ms\ntokens used: 1,534\n");
  expect(stderr.endsWith("\n")).toBe(true);
});

test("the live line never grows wider than the terminal, and counts the time", () => {
  let nowMs = 0;
  const written: string[] = [];
  using line = new LiveLine({
    write: (text) => written.push(text),
    columns: () => 20,
    now: () => nowMs,
    dim: (text) => text,
  });
  line.show("running a command with a long name");
  nowMs = 75_000;
  line.print("kept\n");
  expect(written).toEqual(["running a comma… 0s", "\r\u001b[2K", "kept\n", "running a c… 1m 15s"]);
});
