import { toAbsolutePath } from "@codex/protocol";
import { describe, expect, it } from "vitest";
import { settled } from "./manual-clock.ts";
import { factsOf, inBackground, inheritNothing, scripted } from "./scripted-thread.ts";

const started = {
  type: "command_execution",
  command: "/bin/bash -lc 'echo hi'",
  aggregated_output: "",
  exit_code: null,
  status: "in_progress",
};

describe("a command that ends in its call", () => {
  it("unified-exec.md 3: is started as asked, announced, completed, then answered", async () => {
    const { environment, clock, thread, items } = scripted();
    const answer = thread.exec({ cmd: "echo hi", workdir: "sub/../dir" });
    const process = await environment.process();
    expect(process.options).toEqual({
      argv: ["/bin/bash", "-lc", "echo hi"],
      cwd: "/work/dir",
      env: expect.objectContaining({ ...inheritNothing, overlay: expect.anything() }),
      tty: false,
      stdin: "closed",
      sandbox: { mode: "danger-full-access" },
    });
    expect(items.events).toEqual([["started", "item_0", started]]);
    process.print("hi\n");
    await clock.timerOf(10_000);
    await clock.advance(12.3);
    process.finish(0);
    expect(await answer).toEqual({
      output:
        "Chunk ID: 800000\nWall time: 0.0123 seconds\nProcess exited with code 0\nOriginal token count: 1\nOutput:\nhi\n",
      isSuccess: true,
    });
    expect(items.events.slice(1)).toEqual([
      [
        "completed",
        "item_0",
        { ...started, aggregated_output: "hi\n", exit_code: 0, status: "completed" },
      ],
    ]);
  });

  it("exec-cli.md 3: has failed with any other code than 0", async () => {
    const { environment, thread, items } = scripted();
    const answer = thread.exec({ cmd: "false" });
    (await environment.process()).finish(7);
    expect({ ...factsOf(await answer), isSuccess: (await answer).isSuccess }).toEqual({
      exitCode: 7,
      output: "",
      isSuccess: false,
    });
    expect(items.completed).toEqual([{ output: "", code: 7, status: "failed" }]);
  });

  it("names the environment in its item when that is not this machine", async () => {
    const { environment, thread, items } = scripted({ name: "far" });
    const answer = thread.exec({ cmd: "echo hi" });
    (await environment.process()).finish(0);
    await answer;
    expect(items.events.map(([event, , item]) => [event, item["environment"]])).toEqual([
      ["started", "far"],
      ["completed", "far"],
    ]);
  });

  it("unified-exec.md 5: waits 50 ms for output that something else holds open", async () => {
    const { environment, clock, thread, items } = scripted();
    const answer = thread.exec({ cmd: "sleep 300 & echo bg" });
    const process = await environment.process();
    process.print("bg\n");
    process.end({ code: 0 });
    await clock.timerOf(50);
    await clock.advance(50);
    expect(factsOf(await answer)).toEqual({ exitCode: 0, output: "bg\n" });
    process.print("late\n");
    await settled();
    expect(items.completed).toEqual([{ output: "bg\n", code: 0, status: "completed" }]);
    expect(process.signals).toEqual([]);
  });

  it("runs a terminal of 24 rows and 80 columns when asked", async () => {
    const { environment, thread } = scripted();
    const answer = thread.exec({ cmd: "top", tty: true, login: false, shell: "sh" });
    const process = await environment.process();
    expect([process.options.tty, process.options.argv]).toEqual([
      { rows: 24, columns: 80 },
      ["/bin/sh", "-c", "top"],
    ]);
    process.finish(0);
    await answer;
  });
});

describe("a command that outlives its call", () => {
  it("unified-exec.md 16: is asked again, each byte told once, and is unknown after its end", async () => {
    const { environment, clock, thread, items } = scripted();
    const first = thread.exec({ cmd: "sleep 5; echo end", yield_time_ms: 10 });
    const process = await environment.process();
    process.print("begin\n");
    await clock.timerOf(250);
    await clock.advance(250);
    expect(factsOf(await first)).toEqual({ sessionId: 1000, output: "begin\n" });
    expect(items.completed).toEqual([]);

    const second = thread.write({ session_id: 1000 });
    await clock.timerOf(5_000);
    await clock.advance(5_000);
    expect(factsOf(await second)).toEqual({ sessionId: 1000, output: "" });

    process.print("end\n");
    await settled();
    const third = thread.write({ session_id: 1000, yield_time_ms: 60_000 });
    await clock.timerOf(60_000);
    process.finish(0);
    expect(factsOf(await third)).toEqual({ exitCode: 0, output: "end\n" });
    expect(items.completed).toEqual([{ output: "begin\nend\n", code: 0, status: "completed" }]);
    await expect(thread.write({ session_id: 1000 })).rejects.toThrow(
      "write_stdin failed: Unknown process id 1000",
    );
  });

  it("unified-exec.md 7: completes its item when it ends, 100 ms later when its output stays open", async () => {
    const { process, items, clock } = await inBackground();
    process.print("one ");
    process.end({ code: 3 });
    await settled();
    process.print("two");
    await clock.advance(99);
    expect(items.completed).toEqual([]);
    await clock.advance(1);
    expect(items.completed).toEqual([{ output: "one two", code: 3, status: "failed" }]);
  });

  it("tells a character whose bytes come in two calls once and whole", async () => {
    const { process, thread, clock } = await inBackground();
    const euro = Buffer.from("€");
    process.print(euro.subarray(0, 2));
    const poll = thread.write({ session_id: 1000 });
    await clock.timerOf(5_000);
    await clock.advance(5_000);
    expect(factsOf(await poll).output).toBe("");
    process.print(euro.subarray(2));
    process.finish(0);
    expect(factsOf(await thread.write({ session_id: 1000 })).output).toBe("€");
  });

  it("exec-cli.md 4: of a long output the first and last 512 KiB are kept, between calls too", async () => {
    const { process, thread, items } = await inBackground();
    process.print("a".repeat(600_000));
    process.print("z".repeat(600_000));
    process.finish(0);
    const answer = await thread.write({ session_id: 1000, max_output_tokens: 1 });
    expect(factsOf(answer).output).toBe(
      "Warning: truncated output (original token count: 300000)\n... 151424 bytes omitted ...\n\naa…262151 tokens truncated…zz",
    );
    expect(items.completed[0]?.output).toHaveLength(1_048_576 + 30);
  });

  it("unified-exec.md 14: stays when its call is aborted, and can be asked again", async () => {
    const { environment, thread, items, clock } = scripted();
    const abort = new AbortController();
    const call = thread.exec({ cmd: "server" }, abort.signal);
    const process = await environment.process();
    process.print("up\n");
    await clock.timerOf(10_000);
    abort.abort(new Error("interrupted"));
    await expect(call).rejects.toThrow("interrupted");
    expect([items.completed, process.signals]).toEqual([[], []]);
    process.finish(0);
    expect(factsOf(await thread.write({ session_id: 1000 }))).toEqual({
      exitCode: 0,
      output: "up\n",
    });
  });

  it("is completed without an exit code at the end of the turn, and nothing more is said of it", async () => {
    const { process, thread, items } = await inBackground();
    process.print("so far\n");
    await settled();
    thread.manager.completeOpenItems();
    process.finish(0);
    expect(factsOf(await thread.write({ session_id: 1000 }))).toEqual({
      exitCode: 0,
      output: "so far\n",
    });
    expect(items.completed).toEqual([{ output: "so far\n", code: null, status: "failed" }]);
  });
});

describe("the environment's paths and the intercept", () => {
  it("hears the command and its directory, and its answer replaces the command", async () => {
    const heard: unknown[] = [];
    const { environment, thread, items } = scripted({
      intercept: async (cmd, workdir, context) => {
        heard.push([cmd, workdir, context.callId]);
        return cmd.startsWith("apply_patch") ? "Success.\n" : undefined;
      },
    });
    const patched = await thread.exec({ cmd: "apply_patch <<'EOF'", workdir: "/elsewhere/" });
    expect(patched).toEqual({
      output: "Wall time: 0.0000 seconds\nOutput:\nSuccess.\n",
      isSuccess: true,
    });
    const answer = thread.exec({ cmd: "ls", workdir: "" });
    (await environment.process()).finish(0);
    await answer;
    expect(heard).toEqual([
      ["apply_patch <<'EOF'", "/elsewhere", "call-1"],
      ["ls", toAbsolutePath("/work"), "call-1"],
    ]);
    expect(items.events.length).toBe(2);
  });
});

describe("many commands", () => {
  /** Leaves this many more running. */
  async function fill({ thread, clock }: ReturnType<typeof scripted>, count: number) {
    for (let started = 0; started < count; started += 1) {
      const answer = thread.exec({ cmd: "server", yield_time_ms: 250 });
      await clock.timerOf(250);
      await clock.advance(250);
      await answer;
    }
  }

  it("unified-exec.md 2: warn from 60 on, and the 65th ends the one used longest ago", async () => {
    const warnings: string[] = [];
    const parts = scripted({ warn: (message) => warnings.push(message) });
    await fill(parts, 59);
    expect(warnings).toEqual([]);
    await fill(parts, 5);
    expect(warnings.length).toBe(5);
    expect(warnings[0]).toBe(
      "The maximum number of unified exec processes you can keep open is 60 and you currently have 60 processes open. Reuse older processes or close them to prevent automatic pruning of old processes",
    );
    const touch = parts.thread.write({ session_id: 1000 });
    await parts.clock.timerOf(5_000);
    await parts.clock.advance(5_000);
    await touch;
    await fill(parts, 1);
    await expect(parts.thread.write({ session_id: 1001 })).rejects.toThrow("Unknown process id");
    await settled();
    const ended = parts.environment.processes.filter(({ signals }) => signals.length > 0);
    expect(ended).toEqual([parts.environment.processes[1]]);
    expect(parts.items.completed).toEqual([{ output: "", code: 143, status: "failed" }]);
  });

  it("does not count commands that end in their call", async () => {
    const parts = scripted();
    await fill(parts, 64);
    const answer = parts.thread.exec({ cmd: "true" });
    (await parts.environment.process(64)).finish(0);
    await answer;
    expect(parts.environment.processes.flatMap(({ signals }) => signals)).toEqual([]);
  });
});

describe("disposing", () => {
  it("ends every process, those left behind too, and starts none afterwards", async () => {
    const { process, thread, environment, items } = await inBackground();
    const leaving = thread.exec({ cmd: "daemon > log &" });
    (await environment.process(1)).finish(0);
    await leaving;
    await thread[Symbol.asyncDispose]();
    await thread[Symbol.asyncDispose]();
    expect(process.signals.slice(0, 2)).toEqual(["terminate", "dispose"]);
    expect(environment.processes[1]?.signals.slice(0, 2)).toEqual(["terminate", "dispose"]);
    expect(items.completed).toEqual([
      { output: "", code: 0, status: "completed" },
      { output: "", code: 143, status: "failed" },
    ]);
    await expect(thread.exec({ cmd: "echo hi" })).rejects.toThrow("have been ended");
    expect([environment.processes.length, items.events.length]).toEqual([2, 4]);
  });

  it("ends a process that was just being started", async () => {
    const { thread, environment } = scripted();
    let disposed: Promise<void> | undefined;
    environment.beforeStart = () => {
      disposed = thread[Symbol.asyncDispose]();
    };
    await expect(thread.exec({ cmd: "echo hi" })).rejects.toThrow("have been ended");
    await disposed;
    expect(environment.processes[0]?.signals[0]).toBe("terminate");
  });
});
