import { describe, expect, test } from "vitest";
import { runCli } from "@codex/test-support";
import { execWith } from "./exec-with.ts";
import { hereAndThere } from "./here-and-there.ts";

const twice = [[{ message: "One." }], [{ message: "Two." }]] as const;

describe.each(hereAndThere())("%s", (_place, at) => {
  test.each<[string, (id: string) => readonly string[]]>([
    ["by id", (id) => ["exec", "--json", "resume", id, "second"]],
    ["by id, options after it", (id) => ["exec", "resume", id, "--json", "second"]],
    ["by id in capitals", (id) => ["exec", "--json", "resume", id.toUpperCase(), "second"]],
    ["--last", () => ["exec", "--json", "resume", "--last", "second"]],
    [
      "--last --all from another directory",
      () => [
        "exec",
        "-C",
        "/tmp",
        "--json",
        "--skip-git-repo-check",
        "resume",
        "--last",
        "--all",
        "second",
      ],
    ],
  ])(
    "resume %s goes on with the thread: same id, its conversation first, usage summed up",
    async (_name, args) => {
      await execWith(
        { ...at(), scenario: twice, args: ["--json", "first"] },
        async ({ events, again, requests }) => {
          const id = events.flatMap((event) =>
            event.type === "thread.started" ? event.thread_id : [],
          )[0];
          const second = await again(args(id ?? ""));
          expect(second.code).toBe(0);
          expect(second.events[0]).toMatchObject({ type: "thread.started", thread_id: id });
          expect(second.events.at(-1)).toMatchObject({
            usage: { input_tokens: 200 },
            turn_usage: { input_tokens: 100 },
          });
          const [before, after] = requests.map(({ body }) => body?.["input"] as unknown[]);
          expect(after?.slice(0, before?.length)).toEqual(before);
          // In another directory the model is told so in between.
          const added = after?.slice(before?.length) ?? [];
          expect([added.at(0), added.at(-1)]).toMatchObject([
            { role: "assistant", content: [{ text: "One." }] },
            { role: "user", content: [{ text: "second" }] },
          ]);
        },
      );
    },
  );
});

test.each<[string, readonly string[], RegExp]>([
  [
    "an unknown id",
    ["resume", "01a22a07-5a6f-7cb1-b581-a8050116bbdb", "go"],
    /No session found with the id 01a22a07/,
  ],
  ["nothing to resume", ["resume", "--last", "go"], /There is no session of .* to resume \(--all/],
  [
    "nothing to resume anywhere",
    ["resume", "--last", "--all", "go"],
    /There is no session to resume/,
  ],
  ["neither id nor --last", ["resume"], /Give its id, or --last/],
  ["an id beside --last", ["resume", "--last", "x", "y"], /only a prompt/],
])("%s is exit 2, never a new thread", async (_name, args, message) => {
  const { code, stdout, stderr, requests } = await execWith({ args: ["--json", ...args] });
  expect({ code, stdout, requests }).toEqual({ code: 2, stdout: "", requests: [] });
  expect(stderr).toMatch(message);
});

test("exec resume --help says what it takes", async () => {
  const { code, stdout } = await runCli({ args: ["exec", "resume", "--help"], cwd: "/" });
  expect(code).toBe(0);
  expect(stdout).toMatch(/Usage: codex exec resume \[options\] \[id\] \[prompt\]/);
});

test("--last keeps to sessions of the environment the run works in; standard input is added to the prompt", async () => {
  const inProcess = ["-c", "experimental_unified_exec_use_exec_server=true"];
  const setup = { scenario: twice, args: ["--json", ...inProcess, "first"] };
  await execWith({ ...setup, run: { stdin: { text: "a diff" } } }, async ({ again, requests }) => {
    expect(await again(["exec", "resume", "--last", "second"])).toMatchObject({ code: 2 });
    const { code } = await again(["exec", ...inProcess, "resume", "--last", "second"]);
    expect(code).toBe(0);
    expect(
      requests.map(({ body }) => (body?.["input"] as unknown[] | undefined)?.at(-1)),
    ).toMatchObject([
      { content: [{ text: "first\n\n<stdin>\na diff\n</stdin>" }] },
      { content: [{ text: "second\n\n<stdin>\na diff\n</stdin>" }] },
    ]);
  });
});

test("exec-cli.md 7: --ephemeral reads a session and leaves its file as it is", async () => {
  await execWith({ scenario: twice, args: ["--json", "first"] }, async ({ again }) => {
    const sessions = async () => (await again(["sessions", "list", "--json"])).stdout;
    const before = await sessions();
    const { code, stdout } = await again(["exec", "--ephemeral", "resume", "--last", "second"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Two.\n" });
    expect(await sessions()).toBe(before);
  });
});
