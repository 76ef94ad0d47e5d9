import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createLocalEnvironment, type Environment } from "@codex/environment";
import { toAbsolutePath } from "@codex/protocol";
import { temporaryDirectory } from "@codex/test-support";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { factsOf, ScriptedThread, type ThreadOptions } from "./scripted-thread.ts";

const shellEnvironmentPolicy = {
  inherit: "core",
  ignoreDefaultExcludes: false,
  exclude: [],
  set: {},
  includeOnly: [],
} as const;

let environment: Environment;

beforeAll(() => {
  environment = createLocalEnvironment({
    cwd: toAbsolutePath("/tmp"),
    variables: { PATH: process.env["PATH"], HOME: "/nonexistent", LANG: "de_DE" },
    userShell: "/bin/bash",
  });
});

afterAll(() => environment[Symbol.asyncDispose]());

/** Commands of this machine, through the tools, by the system's own clock. */
function thread(options: Partial<ThreadOptions> = {}) {
  return new ScriptedThread({
    environment,
    shellEnvironmentPolicy,
    cwd: toAbsolutePath("/tmp"),
    ...options,
  });
}

describe("pipes", () => {
  it("exec-cli.md 4: gives the output as it is, then the exit code", async () => {
    await using commands = thread();
    const answer = await commands.exec({ cmd: "printf 'hello\\n'; exit 3" });
    expect([factsOf(answer), answer.isSuccess]).toEqual([
      { exitCode: 3, output: "hello\n" },
      false,
    ]);
    expect(commands.items.completed).toEqual([{ output: "hello\n", code: 3, status: "failed" }]);
  });

  it("exec-cli.md 4: both streams come, and there is no input", async () => {
    await using commands = thread();
    const { output } = factsOf(
      await commands.exec({ cmd: "echo out; echo err >&2; test -t 0 || echo pipe; cat" }),
    );
    expect(output.split("\n").toSorted()).toEqual(["", "err", "out", "pipe"]);
  });

  it("unified-exec.md 8: the fixed variables win over the inherited ones", async () => {
    await using commands = thread();
    const answer = await commands.exec({
      cmd: 'echo "$LANG $TERM $NO_COLOR $PAGER $CODEX_CI $CODEX_THREAD_ID [$COLORTERM]"',
      login: false,
    });
    expect(factsOf(answer).output).toBe("C.UTF-8 dumb 1 cat 1 thread-1 []\n");
  });

  it("exec-cli.md 4: a relative directory is below the session's, a missing one is told so", async () => {
    await using directory = await temporaryDirectory({ "sub/": "" });
    await using commands = thread({ cwd: toAbsolutePath(directory.path) });
    const inSub = await commands.exec({ cmd: "pwd", workdir: "sub" });
    expect(factsOf(inSub).output).toBe(`${directory.path}/sub\n`);
    await expect(commands.exec({ cmd: "pwd", workdir: "missing" })).rejects.toThrow(
      'exec_command failed: CreateProcess { message: "Rejected(\\"Failed to create unified exec process: No such file or directory (os error 2)\\")" }',
    );
  });

  it("unified-exec.md 16: returns early when the command ends", async () => {
    await using commands = thread();
    const startedMs = performance.now();
    const answer = await commands.exec({ cmd: "sleep 0.05", yield_time_ms: 31_415 });
    expect(factsOf(answer)).toEqual({ exitCode: 0, output: "" });
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });

  it("unified-exec.md 16: a later poll tells the rest", async () => {
    await using commands = thread();
    const first = factsOf(await commands.exec({ cmd: "sleep 0.5; echo ready", yield_time_ms: 10 }));
    expect(first).toEqual({ sessionId: 1000, output: "" });
    const second = await commands.write({ session_id: 1000, yield_time_ms: 800 });
    expect(factsOf(second)).toEqual({ exitCode: 0, output: "ready\n" });
  });

  it("exec-cli.md 4: Ctrl-C alone interrupts: exit 130", async () => {
    await using commands = thread();
    await commands.exec({ cmd: "sleep 60; echo never", yield_time_ms: 250 });
    const answer = await commands.write({
      session_id: 1000,
      chars: "\u0003",
      yield_time_ms: 10_000,
    });
    expect(factsOf(answer)).toEqual({ exitCode: 130, output: "" });
    expect(commands.items.completed).toEqual([{ output: "", code: 130, status: "failed" }]);
  });

  it("exec-cli.md 4: a background child that keeps the pipes does not hold up the answer, and lives until the thread ends", async () => {
    await using directory = await temporaryDirectory();
    const commands = thread({ cwd: toAbsolutePath(directory.path) });
    const startedMs = performance.now();
    const answer = await commands.exec({ cmd: "sleep 30 & echo $! >pid; echo hi" });
    expect(factsOf(answer)).toEqual({ exitCode: 0, output: "hi\n" });
    expect(performance.now() - startedMs).toBeLessThan(5_000);
    await expectEndWithThread(commands, directory.path);
  });

  it("exec-cli.md 4: so does a background child that keeps nothing, such as a server with a log file", async () => {
    await using directory = await temporaryDirectory();
    const commands = thread({ cwd: toAbsolutePath(directory.path) });
    await commands.exec({ cmd: "sleep 30 >/dev/null 2>&1 & echo $! >pid" });
    await commands.exec({ cmd: "true" });
    await expectEndWithThread(commands, directory.path);
  });

  it("exec-cli.md 3: `exec-left-running` completes without an exit code at the end of the turn", async () => {
    await using commands = thread();
    await commands.exec({ cmd: "echo up; sleep 600; echo never", yield_time_ms: 250 });
    commands.manager.completeOpenItems();
    await commands[Symbol.asyncDispose]();
    expect(commands.items.completed).toEqual([{ output: "up\n", code: null, status: "failed" }]);
  });

  it("exec-cli.md 4: runs in parallel", async () => {
    await using commands = thread();
    const barrier =
      "touch $0.$1; until [ -e $0.a ] && [ -e $0.b ] && [ -e $0.c ]; do sleep 0.02; done; echo $1";
    await using directory = await temporaryDirectory();
    const answers = await Promise.all(
      ["a", "b", "c"].map((name) =>
        commands.exec({
          cmd: `set -- ${name}; ${barrier.replaceAll("$0", `${directory.path}/at`)}`,
        }),
      ),
    );
    expect(answers.map((answer) => factsOf(answer).output)).toEqual(["a\n", "b\n", "c\n"]);
  });
});

describe("much output and strange output", () => {
  it("exec-cli.md 4: `seq 1 700000`: head, tail and the two numbers", async () => {
    await using commands = thread();
    const answer = await commands.exec({ cmd: "seq 1 700000", max_output_tokens: 100_000 });
    const { exitCode, output } = factsOf(answer);
    const lines = output.split("\n");
    expect([exitCode, ...lines.slice(0, 5)]).toEqual([
      0,
      "Warning: truncated output (original token count: 1197224)",
      "... 3740319 bytes omitted ...",
      "",
      "1",
      "2",
    ]);
    expect(output).toContain("…252152 tokens truncated…");
    expect(output.endsWith("699999\n700000\n")).toBe(true);
    expect(commands.items.completed[0]?.output).toHaveLength(1_048_607);
  });

  it.each([
    [8_000, 10_000, false],
    [9_000, 10_000, true],
    [10_000, 1, true],
  ])("exec-cli.md 4: `seq 1 %i` with %i tokens is cut: %s", async (last, limit, isCut) => {
    await using commands = thread();
    const { output } = factsOf(
      await commands.exec({ cmd: `seq 1 ${last}`, max_output_tokens: limit }),
    );
    expect(output.includes(`\nTotal output lines: ${last}\n\n1\n`)).toBe(isCut);
    expect(output.endsWith(limit === 1 ? "…0\n" : `\n${last}\n`)).toBe(true);
  });

  it("unified-exec.md 16: a burst that nobody asked for does not hide what came last", async () => {
    await using commands = thread();
    const cmd =
      "sleep 0.3; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo TAIL-MARKER; sleep 0.4";
    await commands.exec({ cmd, yield_time_ms: 250 });
    const { exitCode, output } = factsOf(await commands.write({ session_id: 1000 }));
    expect([exitCode, output.endsWith("x\nTAIL-MARKER\n")]).toEqual([0, true]);
  });

  it("exec-cli.md 4: bytes that are no text", async () => {
    await using commands = thread();
    const cmd = "printf '\\x00\\x01\\xff\\xfe\\x1b[31mred\\x1b[0m \\xe2\\x82\\xac\\xe2\\x82'";
    expect(factsOf(await commands.exec({ cmd })).output).toBe(
      "\u0000\u0001\uFFFD\uFFFD\u001b[31mred\u001b[0m €\uFFFD",
    );
  });
});

describe("a terminal", () => {
  it("exec-cli.md 4: `exec-tty`: cat echoes, ends at Ctrl-D, and is unknown then", async () => {
    await using commands = thread();
    const started = await commands.exec({ cmd: "cat", yield_time_ms: 300, tty: true });
    expect(factsOf(started)).toEqual({ sessionId: 1000, output: "" });
    const echoed = factsOf(await commands.write({ session_id: 1000, chars: "hello\n" }));
    const end = { session_id: 1000, chars: "\u0004", yield_time_ms: 10_000 };
    const ended = factsOf(await commands.write(end));
    expect([echoed.sessionId, ended.exitCode]).toEqual([1000, 0]);
    expect(echoed.output + ended.output).toBe("hello\r\nhello\r\n");
    await expect(commands.write({ session_id: 1000, chars: "x\n" })).rejects.toThrow(
      "write_stdin failed: Unknown process id 1000",
    );
    expect(commands.items.completed).toEqual([
      { output: "hello\r\nhello\r\n", code: 0, status: "completed" },
    ]);
  });

  it("exec-cli.md 4: `exec-tty-ctrl-c`: the program hears the interrupt", async () => {
    await using directory = await temporaryDirectory();
    await using commands = thread({ cwd: toAbsolutePath(directory.path) });
    const cmd = "trap 'echo caught; exit 9' INT; touch ready; while :; do sleep 0.05; done";
    await commands.exec({ cmd, yield_time_ms: 300, tty: true });
    await expect.poll(() => existsSync(`${directory.path}/ready`)).toBe(true);
    const interrupt = { session_id: 1000, chars: "\u0003", yield_time_ms: 10_000 };
    const answer = factsOf(await commands.write(interrupt));
    expect([answer.exitCode, answer.output.replace("^C", "")]).toEqual([9, "caught\r\n"]);
  });

  it("unified-exec.md 16: a shell keeps its state between writes, apart from any other", async () => {
    await using commands = thread();
    const bash = { cmd: "bash --norc -i", tty: true, yield_time_ms: 250 };
    const sessions = await Promise.all([commands.exec(bash), commands.exec(bash)]);
    const [first, second] = sessions.map((answer) => factsOf(answer).sessionId!);
    await commands.write({ session_id: first, chars: "X=kept\n" });
    const ask = { chars: "echo [$X]; exit\n", yield_time_ms: 10_000 };
    const kept = await commands.write({ session_id: first, ...ask });
    const apart = await commands.write({ session_id: second, ...ask });
    expect(factsOf(kept).output).toContain("\r\n[kept]\r\n");
    expect(factsOf(apart).output).toContain("\r\n[]\r\n");
  });

  it("exec-cli.md 4: has 24 rows and 80 columns", async () => {
    await using commands = thread();
    const answer = await commands.exec({ cmd: "stty size; test -t 0 && echo tty", tty: true });
    expect(factsOf(answer)).toEqual({ exitCode: 0, output: "24 80\r\ntty\r\n" });
  });
});

/** The number in the file `pid` is alive now, and gone when the thread is. */
async function expectEndWithThread(commands: ScriptedThread, directory: string): Promise<void> {
  const pid = Number(await readFile(`${directory}/pid`, "utf8"));
  expect(isRunning(pid)).toBe(true);
  await commands[Symbol.asyncDispose]();
  await expect.poll(() => isRunning(pid)).toBe(false);
}

/** A zombie that its new parent has not taken yet does not run. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return /^[^Z\s]/.test(stdout);
}
