import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ThreadEvent } from "@codex/protocol";
import type { RecordedRequest, Scenario, ScenarioItem } from "@codex/test-support";
import { type ExecResult, execWith } from "./exec-with.ts";
import { type Executor, startExecutor } from "./executor.ts";

const useKey = "experimental_unified_exec_use_exec_server=true";
const spawnKey = "experimental_unified_exec_spawn_local_exec_server=true";

const readOnlyHere = "on this machine, read-only";

let executor: Executor;
beforeAll(async () => {
  executor = await startExecutor();
});
afterAll(() => executor[Symbol.asyncDispose]());

const sandbox = (mode: string): string => `sandbox_mode="${mode}"`;
const hasBubblewrap = (process.env["PATH"] ?? "")
  .split(":")
  .some((folder) => existsSync(`${folder}/bwrap`));
if (!hasBubblewrap) test.skip("commands in a sandbox: bwrap is not installed", () => {});

interface Place {
  readonly settings?: readonly string[];
  readonly executor?: Executor;
}

/** Where the work happens, and in which sandbox, must not be seen in what comes out. */
const places: Readonly<Record<string, () => Place>> = {
  "on this machine": () => ({}),
  "on an exec-server in this process": () => ({ settings: [useKey] }),
  "on an exec-server that is a child": () => ({ settings: [useKey, spawnKey] }),
  "on an exec-server behind a websocket, in another folder": () => ({ executor }),
  ...(hasBubblewrap && {
    [readOnlyHere]: () => ({ settings: [sandbox("read-only")] }),
    "on this machine, workspace-write": () => ({ settings: [sandbox("workspace-write")] }),
  }),
};

const run = (cmd: string, more: object = {}): ScenarioItem => ({
  function_call: { name: "exec_command", arguments: { cmd, ...more } },
});
const write = (chars: string, yieldMs = 250): ScenarioItem => ({
  function_call: {
    name: "write_stdin",
    arguments: `{"session_id": {{sid}}, "chars": ${JSON.stringify(chars)}, "yield_time_ms": ${yieldMs}}`,
  },
});
const call = (name: string, args: unknown): ScenarioItem => ({
  function_call: { name, arguments: args },
});
const done = [{ message: "Done." }] as const;
const inSession = (...turns: readonly (readonly ScenarioItem[])[]): Scenario => ({
  turns: [...turns, done],
  capture: { sid: "session ID (\\d+)" },
});

/** What the tools answered, in call order; numbers that differ from run to run replaced. */
function answers(requests: readonly RecordedRequest[]): string[] {
  const input = requests.at(-1)?.body?.["input"] as { type: string; output?: string }[];
  return input
    .filter(({ type }) => /^(function|custom_tool)_call_output$/.test(type))
    .map(({ output = "" }) =>
      output
        .replace(/^Chunk ID: [0-9a-f]{6}$/m, "Chunk ID: HEX")
        .replace(/^Wall time: \d+\.\d{4} seconds$/m, "Wall time: T seconds")
        .replace(/session ID \d+$/m, "session ID N"),
    );
}

/** Every completed item, without its id and the name of the place. */
function items(events: readonly ThreadEvent[]): Readonly<Record<string, unknown>>[] {
  return events
    .flatMap((event) => (event.type === "item.completed" ? [event.item] : []))
    .map((item) => {
      const { id: _id, environment: _place, ...rest } = { environment: "", ...item };
      return rest;
    });
}

function answer(state: string, tokens: number, output: string): string {
  return `Chunk ID: HEX\nWall time: T seconds\n${state}\nOriginal token count: ${tokens}\nOutput:\n${output}`;
}
const ended = (code: number, tokens: number, output: string): string =>
  answer(`Process exited with code ${code}`, tokens, output);
const running = (tokens: number, output: string): string =>
  answer("Process running with session ID N", tokens, output);

const said = { type: "agent_message", text: "Done." };
const command = (display: string, output: string, code: number | null): object => ({
  type: "command_execution",
  command: display,
  aggregated_output: output,
  exit_code: code,
  status: code === 0 ? "completed" : "failed",
});

// Beside each other: most of the time they wait, with windows wide enough for a busy machine.
describe.concurrent.each(Object.entries(places))("%s", (place, at) => {
  async function play(scenario: Scenario): Promise<ExecResult> {
    const { settings = [], executor: there } = at();
    const options = settings.flatMap((setting) => ["-c", setting]);
    const args = ["--json", ...options, "go"];
    const result = await execWith({ scenario, args, executor: there });
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: "" });
    return result;
  }

  test("exec-cli.md 3: a reasoning, a message, a command; events in their order", async () => {
    const { events, requests } = await play([
      [{ reasoning: "Hm." }, { message: "I will run it." }, run(String.raw`printf 'hi\n'`)],
      done,
    ]);
    expect(answers(requests)).toEqual([ended(0, 1, "hi\n")]);
    expect(items(events)).toEqual([
      { type: "reasoning", text: "Hm." },
      { type: "agent_message", text: "I will run it." },
      command(String.raw`/bin/bash -lc "printf 'hi\\n'"`, "hi\n", 0),
      said,
    ]);
    expect(events.map((event) => event.type).join(" ")).toBe(
      "thread.started turn.started item.completed item.completed item.started item.completed item.completed turn.completed",
    );
  });

  test("exec-cli.md 4: exit codes, signals, both streams, a directory that is missing", async () => {
    const { events, requests } = await play([
      [run("echo out; sleep 0.05; echo err >&2; exit 3")],
      [run("kill -9 $$")],
      [run("printf 'no newline'")],
      [run("pwd", { workdir: "/no/such/dir" })],
      [run("cat; echo rc=$?")],
      done,
    ]);
    const missing = "Failed to create unified exec process: No such file or directory (os error 2)";
    const rejected = `Rejected(${JSON.stringify(missing)})`;
    expect(answers(requests)).toEqual([
      ended(3, 2, "out\nerr\n"),
      ended(137, 0, ""),
      ended(0, 3, "no newline"),
      `exec_command failed: CreateProcess { message: ${JSON.stringify(rejected)} }`,
      ended(0, 2, "rc=0\n"),
    ]);
    expect(items(events).map((item) => item["exit_code"])).toEqual([3, 137, 0, -1, 0, undefined]);
  });

  test("exec-cli.md 4: a terminal session, written to and ended", async () => {
    const { events, requests } = await play(
      inSession(
        [run("cat", { tty: true, yield_time_ms: 400 })],
        [write("hello\n", 2000)],
        [write("\u0004", 2000)],
        [write("x\n")],
      ),
    );
    const [opened, echoed, closed, gone] = answers(requests);
    expect([opened, echoed, closed]).toEqual([
      running(0, ""),
      running(4, "hello\r\nhello\r\n"),
      ended(0, 0, ""),
    ]);
    expect(gone).toMatch(/^write_stdin failed: Unknown process id \d+$/);
    expect(items(events)).toEqual([command("/bin/bash -lc cat", "hello\r\nhello\r\n", 0), said]);
  });

  test("exec-cli.md 4: Ctrl-C reaches the program on the terminal, which may catch it", async () => {
    const trap = "trap 'echo caught; exit 9' INT; echo ready; while :; do sleep 0.1; done";
    const { requests } = await play(
      inSession([run(trap, { tty: true, yield_time_ms: 2000 })], [write("\u0003", 5000)]),
    );
    expect(answers(requests)).toEqual([running(2, "ready\r\n"), ended(9, 3, "^Ccaught\r\n")]);
  });

  test("exec-cli.md 4: a long command is followed by empty writes; its item comes with its exit", async () => {
    const cmd = "echo tick 1; sleep 3; echo tick 2; exit 7";
    const { events, requests } = await play(
      inSession([run(cmd, { yield_time_ms: 2000 })], [write("")]),
    );
    expect(answers(requests)).toEqual([running(2, "tick 1\n"), ended(7, 2, "tick 2\n")]);
    expect(items(events)).toEqual([command(`/bin/bash -lc '${cmd}'`, "tick 1\ntick 2\n", 7), said]);
  });

  test("a command still running at the end is completed without an exit code", async () => {
    const { events } = await play([[run("echo on; sleep 600", { yield_time_ms: 3000 })], done]);
    expect(items(events)).toEqual([
      said,
      command("/bin/bash -lc 'echo on; sleep 600'", "on\n", null),
    ]);
  });

  test.skipIf(place === readOnlyHere)(
    "exec-cli.md 4: commands of one answer run side by side, their outputs in call order",
    async () => {
      // Each ends only once the other two have begun.
      const meet = (name: string, others: string): ScenarioItem =>
        run(`touch ${name}; until ls ${others} >/dev/null 2>&1; do sleep 0.02; done; echo ${name}`);
      const { requests } = await play([
        [meet("a", "b c"), meet("b", "a c"), meet("c", "a b")],
        done,
      ]);
      expect(answers(requests)).toEqual([
        ended(0, 1, "a\n"),
        ended(0, 1, "b\n"),
        ended(0, 1, "c\n"),
      ]);
    },
  );

  test("exec-cli.md 4: bad calls are answered and the run goes on", async () => {
    const { requests } = await play([
      [call("no_such_tool", { a: 1 })],
      [{ custom_tool_call: { name: "no_such_custom", input: "x" } }],
      [call("exec_command", "{not json")],
      [call("exec_command", { command: "ls" })],
      [call("exec_command", { cmd: ["ls"] })],
      [call("exec_command", { cmd: "true", bogus: 1 })],
      [call("exec_command", "")],
      [call("read_file", { file_path: "/x" })],
      [call("list_dir", { dir_path: "/" })],
      [{ custom_tool_call: { name: "exec_command", input: "echo hi" } }],
      [call("write_stdin", { session_id: 999_999, chars: "x" })],
      done,
    ]);
    const parsing = "failed to parse function arguments: ";
    expect(answers(requests)).toEqual([
      "unsupported call: no_such_tool",
      "unsupported custom tool call: no_such_custom",
      expect.stringMatching(`^${parsing}`),
      expect.stringMatching(`^${parsing}.*cmd`),
      expect.stringMatching(`^${parsing}.*cmd`),
      ended(0, 0, ""),
      expect.stringMatching(`^${parsing}`),
      "unsupported call: read_file",
      "unsupported call: list_dir",
      "aborted",
      "write_stdin failed: Unknown process id 999999",
    ]);
  });

  test("exec-cli.md 4: of 5 MB the item keeps a mebibyte, the model gets its budget", async () => {
    const { events, requests } = await play([
      [run("seq 1 700000")],
      [run("seq 1 10000", { max_output_tokens: 1 })],
      [run("seq 1 10000", { max_output_tokens: 0 })],
      done,
    ]);
    const [whole, one, none] = answers(requests);
    expect(items(events)[0]?.["aggregated_output"]).toHaveLength(1_048_607);
    expect(whole).toMatch(
      /\(original token count: 1197224\)\n\.\.\. 3740319 bytes omitted \.\.\.\n/,
    );
    expect(whole).toMatch(/…\d+ tokens truncated…/);
    expect(one).toMatch(/Total output lines: 10000\n\n1\n…\d+ tokens truncated…0\n$/);
    expect(none).toMatch(/Total output lines: 10000\n\n…\d+ tokens truncated…$/);
  });

  test("exec-cli.md 4: bytes that are no text become U+FFFD, control characters pass", async () => {
    const bytes = String.raw`printf '\x00\x01\xff\xfe\x1b[31mred\x1b[0m \xe2\x82\xac\xe2\x82'`;
    const { requests } = await play([[run(bytes)], done]);
    const text = "\0\u0001\ufffd\ufffd\u001b[31mred\u001b[0m €\ufffd";
    expect(answers(requests)[0]?.split("Output:\n")[1]).toBe(text);
  });
});
