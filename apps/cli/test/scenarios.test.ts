import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { ThreadEvent } from "@codex/protocol";
import type { Scenario } from "@codex/test-support";
import { describe, expect, test } from "vitest";
import { execWith, type ExecResult, type ExecSetup } from "./exec-with.ts";
import { hereAndThere } from "./here-and-there.ts";

const folder = resolve(import.meta.dirname, "../../../../shared/tools/scenarios");
const hasScenarios = existsSync(folder);
if (!hasScenarios) console.log(`skipped: the captured scenarios are not at ${folder}`);

describe.runIf(hasScenarios).each(hereAndThere())("%s", (_place, at) => {
  /** Plays a captured scenario; what happened as `--json` lines without ids, what the model was answered in call order. */
  async function play(
    name: string,
    { inspect, ...setup }: ExecSetup & { readonly inspect?: (result: ExecResult) => void } = {},
  ) {
    const scenario = JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8")) as Scenario;
    const result = await execWith({ scenario, args: ["--json", "go"], ...at(), ...setup }, inspect);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: "" });
    return { items: itemLines(result), answers: answersIn(result), result };
  }

  test.each<[string, readonly unknown[]]>([
    ["two-messages", [said("First part."), said("Second part.")]],
    ["reasoning", [thought("Thinking about it."), said("Hello from the mock.")]],
    ["reasoning-deltas", [thought("**Thinking**\nsecond"), said("ok")]],
    ["reasoning-empty", [...ran("true", ""), said("ok")]],
    ["message-and-call", [said("I will run it."), ...ran("printf 'hi\\n'", "hi\n"), said("Done.")]],
    [
      "web-search",
      [
        ["started", { type: "web_search", query: "", action: { type: "other" } }],
        [
          "completed",
          {
            type: "web_search",
            query: "weather",
            action: { type: "search", query: "weather", queries: ["weather"] },
          },
        ],
        said("Sunny."),
      ],
    ],
  ])("exec-cli.md 3: the items of %s", async (name, expected) => {
    const { items } = await play(name);
    expect(items).toEqual(expected);
  });

  test("exec-cli.md 3: a plan is one item: started, updated, completed with the turn", async () => {
    const plan = (a: boolean, b: boolean) => ({
      type: "todo_list",
      items: [
        { text: "A", completed: a },
        { text: "B", completed: b },
      ],
    });
    const { items, answers, result } = await play("update-plan", {
      config: "[tools.update_plan]\nenabled = true",
    });
    expect(items).toEqual([
      ["started", plan(false, false)],
      ["updated", plan(true, false)],
      ["updated", plan(true, true)],
      said("Done."),
      ["completed", plan(true, true)],
    ]);
    expect(answers).toEqual([
      "Plan updated",
      "Plan updated",
      expect.stringMatching(/^failed to parse function arguments: .*status/),
      "Plan updated",
    ]);
    const ids = result.events.flatMap((event) => ("item" in event ? event.item.id : []));
    expect(ids).toEqual(["item_0", "item_0", "item_0", "item_1", "item_0"]);
  });

  test("exec-cli.md 4: apply_patch adds, updates, moves and deletes; a move is an update of the old path", async () => {
    const { items, answers } = await play("patch-custom");
    expect(items).toEqual([
      ...changed(["new/a.txt", "add"]),
      ...changed(["new/a.txt", "update"]),
      ...changed(["c.txt", "add"], ["new/a.txt", "update"]),
      ...changed(["c.txt", "delete"]),
      said("Done."),
    ]);
    expect(answers).toEqual([
      success("A new/a.txt"),
      success("M new/a.txt"),
      success("A c.txt", "M new/b.txt"),
      success("D c.txt"),
    ]);
  });

  test("exec-cli.md 4: changes are sorted by path in the event, by kind and then as written in the answer", async () => {
    const { items, answers } = await play("patch-order");
    expect(items).toEqual([
      ...changed(["d.txt", "add"], ["m.txt", "add"], ["z.txt", "add"]),
      ...changed(
        ["a1.txt", "add"],
        ["a2.txt", "add"],
        ["d.txt", "delete"],
        ["m.txt", "update"],
        ["z.txt", "delete"],
      ),
      said("Done."),
    ]);
    expect(answers).toEqual([
      success("A z.txt", "A d.txt", "A m.txt"),
      success("A a2.txt", "A a1.txt", "M m.txt", "D z.txt", "D d.txt"),
    ]);
  });

  test("exec-cli.md 4: a patch that cannot be applied is answered with the reason and is no event", async () => {
    const { items, answers } = await play("patch-errors");
    const failed = "apply_patch verification failed:";
    const absent = "No such file or directory (os error 2)";
    const headers = "'*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'";
    expect(items).toEqual([
      ...changed(["new/a.txt", "add"]),
      ...changed(["new/a.txt", "add"]),
      said("Done."),
    ]);
    expect(answers).toEqual([
      success("A new/a.txt"),
      `${failed} Failed to read file to update WS/new/b.txt: ${absent}`,
      `${failed} invalid hunk at line 2, '*** Frobnicate File: x' is not a valid hunk header. Valid hunk headers: ${headers}`,
      `${failed} invalid patch: The last line of the patch must be '*** End Patch'`,
      `${failed} Failed to read WS/missing.txt: ${absent}`,
      `${failed} Failed to read file to update WS/nope.txt: ${absent}`,
      `${failed} invalid patch: The first line of the patch must be '*** Begin Patch'`,
      `${failed} invalid patch: The first line of the patch must be '*** Begin Patch'`,
      "patch rejected: empty patch",
      success("A new/a.txt"),
    ]);
  });

  test("exec-cli.md 4: apply_patch as a function call is answered aborted where it is offered freeform", async () => {
    const { items, answers } = await play("patch-function");
    expect(items).toEqual([said("Done.")]);
    expect(answers).toEqual(["aborted"]);
  });

  test("exec-cli.md 4: a patch in a shell command is a patch when it is the whole command", async () => {
    const { items, answers } = await play("patch-shell");
    const wall = "Wall time: 0 seconds\nOutput:\n";
    expect(items.slice(0, 4)).toEqual([
      ...changed(["new/a.txt", "add"]),
      ...changed(["new/a.txt", "update"]),
    ]);
    expect(items.slice(4).map(kindOf)).toEqual([
      ["started", "command_execution"],
      ["completed", "command_execution"],
      ["started", "command_execution"],
      ["completed", "command_execution"],
      ["started", "command_execution"],
      ["completed", "command_execution"],
      ["completed", "agent_message"],
    ]);
    expect(answers[0]).toBe(`${wall}${success("A new/a.txt")}`);
    expect(answers[1]).toBe(`${wall}${success("M a.txt")}`);
    expect(answers[3]).toMatch(
      /^apply_patch verification failed: Failed to read file to update WS\/new\/b\.txt/,
    );
  });

  test("exec-cli.md 4: full access may write outside of the project", async () => {
    const { answers } = await play("patch-outside");
    expect(answers).toEqual([success("A ../outside.txt"), success("A WS/../outside-2.txt")]);
  });

  test("exec-cli.md 4: view_image answers with the bytes or with the reason, and is no event", async () => {
    const { items, answers } = await play("view-image");
    const image = [
      {
        type: "input_image",
        image_url: expect.stringMatching(/^data:image\/png;base64,iVBORw0KGgo/),
        detail: "original",
      },
    ];
    expect(items.map(kindOf)).toEqual([
      ["started", "command_execution"],
      ["completed", "command_execution"],
      ["completed", "agent_message"],
    ]);
    expect(answers.slice(1)).toEqual([
      image,
      "unable to locate image at `WS/missing.png`: No such file or directory (os error 2)",
      image,
      "unable to process image: invalid or unsupported image data",
      "image path `WS` is not a file",
      image,
    ]);
  });

  test("exec-cli.md 4: questions are answered without a person; goals are not offered", async () => {
    const { items, answers } = await play("other-tools");
    expect(items).toEqual([said("Done.")]);
    expect(answers).toEqual([
      "request_user_input is unavailable in Default mode",
      "unsupported call: get_goal",
      "unsupported call: create_goal",
      "unsupported call: update_goal",
    ]);
  });

  test("exec-cli.md 4: patches that are a little off are applied, the others say where they fail", async () => {
    const files: Record<string, string> = {};
    const { answers } = await play("patch-fuzz", {
      inspect: ({ workspace }) => {
        for (const name of ["f.txt", "crlf.txt", "noeol.txt", "ws.txt", "heredoc.txt", "empty.txt"])
          files[name] = readFileSync(`${workspace}/${name}`, "utf8");
      },
    });
    const failed = "apply_patch verification failed:";
    expect(answers.slice(1)).toEqual([
      ...Array.from({ length: 5 }, () => success("M f.txt")),
      success("M crlf.txt"),
      success("M noeol.txt"),
      success("A ws.txt"),
      success("A heredoc.txt"),
      success("M f.txt"),
      `${failed} Failed to find expected lines in WS/f.txt:\nnope\ndup`,
      `${failed} Failed to find context 'class Missing' in WS/f.txt`,
      success("A f.txt"),
      `${failed} Failed to read WS/sub: Is a directory (os error 21)`,
      success("A empty.txt"),
      `${failed} invalid hunk at line 2, Update file hunk for path 'noeol.txt' is empty`,
      expect.stringContaining("'no plus' is not a valid hunk header"),
    ]);
    expect(files).toEqual({
      "f.txt": "over\n",
      "crlf.txt": "a\r\nB\r\nc\r\n",
      // The original adds a newline here.
      "noeol.txt": "first\nLAST",
      "ws.txt": "x\n",
      "heredoc.txt": "x\n",
      "empty.txt": "",
    });
  });
});

type ItemLine = readonly [string, Readonly<Record<string, unknown>>];

function itemLines({ events, workspace }: ExecResult): ItemLine[] {
  return events.flatMap((event: ThreadEvent): ItemLine[] => {
    if (!("item" in event)) return [];
    const { id: _id, environment: _place, ...item } = { environment: "", ...event.item };
    return [[event.type.slice("item.".length), named(item, workspace)]];
  });
}

function answersIn({ requests, workspace }: ExecResult): unknown[] {
  const input = (requests.at(-1)?.body?.["input"] ?? []) as readonly {
    readonly type: string;
    readonly output?: unknown;
  }[];
  const outputs = input.filter((item) => item.type.endsWith("_output")).map(({ output }) => output);
  return named(outputs, workspace);
}

/** With the name WS for the folder of this run, and as if no time had passed. */
function named<T>(value: T, workspace: string): T {
  const text = JSON.stringify(value)
    .replaceAll(workspace, "WS")
    .replaceAll(/Wall time: [\d.]+ seconds/g, "Wall time: 0 seconds");
  return JSON.parse(text) as T;
}

function kindOf([when, item]: ItemLine): readonly unknown[] {
  return [when, item["type"]];
}

function said(text: string): ItemLine {
  return ["completed", { type: "agent_message", text }];
}

function thought(text: string): ItemLine {
  return ["completed", { type: "reasoning", text }];
}

function ran(command: string, output: string): ItemLine[] {
  const shown = /^\w+$/.test(command) ? command : `"${command.replaceAll("\\", "\\\\")}"`;
  const item = { type: "command_execution", command: `/bin/bash -lc ${shown}` };
  return [
    ["started", { ...item, aggregated_output: "", exit_code: null, status: "in_progress" }],
    ["completed", { ...item, aggregated_output: output, exit_code: 0, status: "completed" }],
  ];
}

function changed(...changes: readonly (readonly [string, string])[]): ItemLine[] {
  const item = {
    type: "file_change",
    changes: changes.map(([path, kind]) => ({ path: `WS/${path}`, kind })),
  };
  return [
    ["started", { ...item, status: "in_progress" }],
    ["completed", { ...item, status: "completed" }],
  ];
}

function success(...lines: readonly string[]): string {
  const list = lines.map((line) => `${line}\n`).join("");
  return `Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n${list}`;
}
