import { expect, test } from "vitest";
import { execWith } from "./exec-with.ts";

const scenario = [
  [{ function_call: { name: "exec_command", arguments: { cmd: "echo hi" } } }],
  [{ message: "It said hi." }],
] as const;

const turnUsage = {
  input_tokens: 200,
  cached_input_tokens: 40,
  cache_write_input_tokens: 0,
  output_tokens: 20,
  reasoning_output_tokens: 6,
};

test("sessions list --json tells programs of each session of this directory, sessions show --json of its turns", async () => {
  await execWith({ scenario, args: ["--json", "say hi"] }, async ({ events, again, ...place }) => {
    const [started] = events;
    const id = started?.type === "thread.started" ? started.thread_id : "";
    const list = await again(["sessions", "list", "--json"]);
    expect({ code: list.code, stderr: list.stderr }).toEqual({ code: 0, stderr: "" });
    const session = {
      id,
      workdir: place.workspace,
      environment: "local",
      model: "gpt-5.5",
      model_provider: "scripted",
      started_at: expect.stringMatching(/^\d{4}-.*Z$/),
      last_used_at: expect.stringMatching(/^\d{4}-.*Z$/),
      turn_count: 1,
      usage: turnUsage,
      first_prompt: "say hi",
      last_message: "It said hi.",
      path: expect.stringContaining(`${place.home}/sessions/`),
    };
    expect(list.stdout.trimEnd().split("\n").map(parsed)).toEqual([session]);
    const show = await again(["sessions", "show", id.toUpperCase(), "--json"]);
    const completed = events.flatMap((event) =>
      event.type === "item.completed" ? [event.item] : [],
    );
    expect(parsed(show.stdout)).toEqual({
      ...session,
      turns: [
        {
          started_at: expect.stringMatching(/^\d{4}-.*Z$/),
          prompt: "say hi",
          items: completed,
          status: "completed",
          error: null,
          usage: turnUsage,
        },
      ],
    });
  });
});

test("for a person: a table, and the turns as they were seen", async () => {
  await execWith({ scenario, args: ["--json", "say hi\nplease"] }, async ({ again, workspace }) => {
    const list = await again(["sessions", "list"]);
    const [title, row, ...rest] = list.stdout.split("\n");
    expect(title).toMatch(/^ID {2,}LAST USED {2,}TURNS {2}FIRST PROMPT$/);
    expect(row).toMatch(/^[0-9a-f-]{36} {2}\d{4}-\d\d-\d\d \d\d:\d\d {6}1 {2}say hi please$/);
    expect(rest).toEqual([""]);
    const all = await again(["-C", "/", "sessions", "list", "--all"]);
    expect(all.stdout).toContain(` ${workspace}  say hi please\n`);
    const show = await again(["sessions", "show", row?.slice(0, 36) ?? ""]);
    expect(show.stdout).toMatch(/^session id: .*\nworkdir: .*\nmodel: gpt-5\.5 \(scripted\)\n/);
    expect(show.stdout).toContain(
      "\n\nuser\nsay hi\nplease\n$ echo hi\n  succeeded\n  hi\ncodex\nIt said hi.\n",
    );
  });
});

test("sessions of other directories are left out, an unknown one is exit 2", async () => {
  await execWith({ scenario }, async ({ again }) => {
    const elsewhere = await again(["sessions", "list", "-C", "/"]);
    expect(elsewhere).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "There are no sessions of /; --all lists those of every directory.\n",
    });
    const unknown = await again(["sessions", "show", "01a22a07-5a6f-7cb1-b581-a8050116bbdb"]);
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toMatch(
      /^No session found with the id 01a22a07-\S+ `codex sessions list/,
    );
  });
});

function parsed(text: string): unknown {
  return JSON.parse(text);
}
