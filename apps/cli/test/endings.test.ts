import type { ChildProcess } from "node:child_process";
import { chmod, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CommandExecution, ThreadEvent } from "@codex/protocol";
import type { Scenario, ScenarioItem } from "@codex/test-support";
import { execWith, type ExecResult, type ExecSetup } from "./exec-with.ts";
import { hereAndThere } from "./here-and-there.ts";
import { isGroupAlive, pidIn } from "./processes.ts";

const call = (cmd: string, more: object = {}): ScenarioItem => ({
  function_call: { name: "exec_command", arguments: { cmd, ...more } },
});
const done = [{ message: "Done." }] as const;

/** Does something to the process when its stdout holds `text` for the first time. */
function onceSaid(text: string, act: (child: ChildProcess) => void) {
  let isDone = false;
  return {
    onStdout(stdout: string, child: ChildProcess): void {
      if (isDone || !stdout.includes(text)) return;
      isDone = true;
      act(child);
    },
  };
}

function completedCommand(events: readonly ThreadEvent[]): CommandExecution | undefined {
  const items = events.flatMap((event) => (event.type === "item.completed" ? [event.item] : []));
  return items.find((item) => item.type === "command_execution");
}

function lastOf(events: readonly ThreadEvent[]): ThreadEvent | undefined {
  return events.at(-1);
}

// What the place of the work has a part in. The rest of this file never reaches it.
describe.each(hereAndThere())("%s", (place, at) => {
  const runAt = (setup: ExecSetup, inspect?: (result: ExecResult) => Promise<void> | void) =>
    execWith({ ...at(), ...setup }, inspect);

  test.each([
    { signal: "SIGINT", code: 130 },
    { signal: "SIGTERM", code: 143 },
    { signal: "SIGHUP", code: 129 },
  ] as const)("$signal ends the turn and its commands, deaf ones too", async ({ signal, code }) => {
    const deaf = "trap '' INT TERM HUP; echo pid=$$; sleep 600 & sleep 601";
    const result = await runAt({
      scenario: [[call(deaf, { yield_time_ms: 250 })], [{ message: "Waiting." }, { hang: true }]],
      args: ["--json", "go"],
      run: onceSaid("Waiting.", (child) => child.kill(signal)),
    });
    expect({ code: result.code, signal: result.signal }).toEqual({ code, signal: null });
    expect(lastOf(result.events)).toMatchObject({
      type: "turn.failed",
      error: { kind: "interrupted" },
      exit_code: code,
    });
    const command = completedCommand(result.events);
    expect(command).toMatchObject({ exit_code: null, status: "failed" });
    const leader = pidIn(command?.aggregated_output ?? "");
    // The guard ends what did not listen, just after the process that held it is gone.
    await expect.poll(() => isGroupAlive(leader)).toBe(false);
  });

  test("a reader that goes away is no error: the run goes to its end and keeps its code", async () => {
    await runAt(
      {
        scenario: [[call("true")], [call("echo ran > ran.txt; exit 1")], done],
        args: ["--json", "--fail-on-tool-error", "-o", "answer.txt", "go"],
        leavesHere: ["answer.txt"],
        run: { onStdout: (_text, child) => child.stdout?.destroy() },
      },
      async ({ code, signal, stderr, requests, workspace, cwd }) => {
        expect({ code, signal, stderr }).toEqual({ code: 5, signal: null, stderr: "" });
        expect(requests).toHaveLength(3);
        expect(await readFile(join(workspace, "ran.txt"), "utf8")).toBe("ran\n");
        expect(await readFile(join(cwd, "answer.txt"), "utf8")).toBe("Done.");
      },
    );
  });

  test("the process ends within a second of its last event, whatever still lives", async () => {
    let endedAtMs = Number.NaN;
    const scenario: Scenario = [
      [call("setsid sleep 600 & echo pid=$!; sleep 601", { yield_time_ms: 250 })],
      done,
    ];
    const { code, events } = await runAt({
      scenario,
      args: ["--json", "go"],
      run: {
        onStdout: (text) => {
          if (text.includes("turn.completed")) endedAtMs = performance.now();
        },
        onStart: (child) => child.once("exit", () => (endedAtMs = performance.now() - endedAtMs)),
      },
    });
    expect(code).toBe(0);
    expect(endedAtMs).toBeLessThan(1000);
    const command = completedCommand(events);
    expect(command).toMatchObject({ exit_code: null, status: "failed" });
    // It left its group on purpose: nobody else ends it.
    process.kill(pidIn(command?.aggregated_output ?? ""), "SIGKILL");
  });

  test.each<[string, readonly string[], Scenario, RegExp, number]>([
    [
      "--max-turns",
      ["--max-turns", "2"],
      { turns: [[{ message: "So far." }, call("true")]] },
      /2 model requests/,
      2,
    ],
    [
      "--max-tokens",
      ["--max-tokens", "150"],
      { turns: [[{ message: "So far." }, call("true")]] },
      /180 tokens/,
      2,
    ],
    ["--timeout", ["--timeout", "1s"], [[{ message: "So far." }, call("sleep 600")]], /1 s/, 1],
  ])(
    "%s is a clean stop with exit 3 that keeps the result so far",
    async (_name, limit, scenario, says, requests) => {
      await runAt(
        {
          scenario,
          args: ["--json", ...limit, "-o", "answer.txt", "go"],
          leavesHere: ["answer.txt"],
        },
        async (result) => {
          expect(result.code).toBe(3);
          expect(result.requests).toHaveLength(requests);
          expect(lastOf(result.events)).toMatchObject({
            type: "turn.failed",
            error: { kind: "limit", message: expect.stringMatching(says) },
            exit_code: 3,
          });
          expect(await readFile(join(result.cwd, "answer.txt"), "utf8")).toBe("So far.");
        },
      );
    },
  );

  test("a tool that failed is exit 5 only when that was asked for", async () => {
    const scenario = [[call("exit 1")], done];
    expect((await runAt({ scenario })).code).toBe(0);
    expect((await runAt({ scenario, args: ["--fail-on-tool-error", "go"] })).code).toBe(5);
    const fine = [[call("true")], done];
    expect((await runAt({ scenario: fine, args: ["--fail-on-tool-error", "go"] })).code).toBe(0);
  });

  test("no key is there twice, and nothing in a line looks like a line end", async () => {
    const { stdout } = await runAt({
      scenario: [[{ message: "a\u2028b" }, call("echo 'x\u2029y'")], done],
      args: ["--json", "go"],
    });
    expect(stdout).not.toMatch(/[\u2028\u2029]/);
    for (const line of stdout.trimEnd().split("\n")) {
      const keys = new Set<string>();
      const parsed: unknown = JSON.parse(line, (key, value: unknown) => (keys.add(key), value));
      expect(JSON.stringify(parsed).length).toBeLessThanOrEqual(line.length);
    }
  });

  test("exec-cli.md 3: in human mode stdout is the last message, everything else is on stderr", async () => {
    const { code, stdout, stderr, home, cwd } = await runAt({
      scenario: [
        [{ message: "Looking." }, call("printf 'a\\nb\\n'; exit 3")],
        [{ message: "It failed." }],
      ],
      args: ["look"],
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "It failed.\n" });
    const steady = stderr
      .replace(/session id: .*/, "session id: ID")
      .replace(/ in \d+ms/, " in Nms")
      .replaceAll(cwd, "WORKSPACE")
      .replaceAll(home, "HOME");
    const isThere = place === "there";
    expect(steady).toBe(`codex-runtime 0.1.0
--------
workdir: WORKSPACE
${isThere ? "environment: far\n" : ""}model: gpt-5.5
provider: scripted
approval: never
sandbox: danger-full-access
reasoning effort: medium
reasoning summaries: none
session id: ID
--------
user
look
codex
Looking.
$ printf 'a\\nb\\n'; exit 3${isThere ? " (on far)" : ""}
  exited 3 in Nms
  a
  b
codex
It failed.
tokens used: 180
`);
  });
});

test("a second signal ends the process at once", async () => {
  const { code } = await execWith({
    scenario: [[{ message: "Waiting." }, { hang: true }]],
    args: ["--json", "go"],
    run: onceSaid("Waiting.", (child) => {
      child.kill("SIGINT");
      child.kill("SIGTERM");
    }),
  });
  expect([130, 143]).toContain(code);
});

test("a signal before the first event leaves stdout empty", async () => {
  const { code, stdout } = await execWith({
    args: ["--json"],
    run: {
      stdin: "open",
      // It says that it reads the prompt: from then on it can be interrupted.
      onStart: (child) => child.stderr?.once("data", () => child.kill("SIGTERM")),
    },
  });
  expect({ code, stdout }).toEqual({ code: 143, stdout: "" });
});

test("| head -1 is no crash and no error", async () => {
  const { code, stdout, stderr } = await execWith({
    scenario: [[call("seq 1 10")], done],
    args: ["--json", "go"],
    run: {
      command: [
        "/bin/bash",
        "-o",
        "pipefail",
        "-c",
        '"$@" | head -1',
        "bash",
        process.execPath,
        new URL("../bin/codex.js", import.meta.url).pathname,
      ],
    },
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ type: "thread.started" });
});

test("-o takes the place of a file at once, keeps its mode, and follows a link", async () => {
  await execWith(
    {
      files: { "real.txt": "old" },
      prepare: async ({ workspace }) => {
        await chmod(join(workspace, "real.txt"), 0o640);
        await symlink("real.txt", join(workspace, "link.txt"));
      },
      args: ["-o", "link.txt", "go"],
    },
    async ({ workspace }) => {
      expect(await readFile(join(workspace, "real.txt"), "utf8")).toBe("Hello.");
    },
  );
});

test("-o names a file beside the process, not in the folder of -C", async () => {
  await execWith(
    { files: { "sub/x": "" }, args: ["-C", "sub", "-o", "answer.txt", "go"] },
    async ({ workspace }) => {
      expect(await readFile(join(workspace, "answer.txt"), "utf8")).toBe("Hello.");
    },
  );
});

test("-o after a turn that failed is an empty file, and stdout stays empty", async () => {
  await execWith(
    {
      scenario: [[{ message: "partial" }, { incomplete: "max_output_tokens" }]],
      args: ["-o", "a", "go"],
    },
    async ({ code, stdout, workspace }) => {
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(await readFile(join(workspace, "a"), "utf8")).toBe("");
    },
  );
});
