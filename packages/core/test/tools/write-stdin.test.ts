import { ProcessError } from "@codex/environment";
import { describe, expect, it } from "vitest";
import { factsOf, inBackground } from "../unified-exec/scripted-thread.ts";

describe("write_stdin", () => {
  it("unified-exec.md 4: sends the characters as they are, lets them settle 100 ms, then waits", async () => {
    const { process, thread, clock } = await inBackground({ cmd: "cat", tty: true });
    const answer = thread.write({ session_id: 1000, chars: "a\u0003é\n" });
    await clock.timerOf(100);
    process.print("echo");
    await clock.advance(100);
    await clock.timerOf(250);
    await clock.advance(250);
    expect(factsOf(await answer)).toEqual({ sessionId: 1000, output: "echo" });
    expect(process.written).toEqual(["a\u0003é\n"]);
  });

  it("exec-cli.md 4: has nothing to write to without a terminal", async () => {
    const { process, thread } = await inBackground();
    await expect(thread.write({ session_id: 1000, chars: "y\n" })).rejects.toThrow(
      "write_stdin failed: stdin is closed for this session; rerun exec_command with tty=true to keep stdin open",
    );
    expect(process.written).toEqual([]);
  });

  it("exec-cli.md 4: interrupts a command without a terminal by Ctrl-C alone", async () => {
    const { process, thread, clock } = await inBackground();
    const answer = thread.write({ session_id: 1000, chars: "\u0003" });
    await clock.timerOf(100);
    process.end({ code: 130, signal: "SIGINT" });
    process.close();
    expect(factsOf(await answer)).toEqual({ exitCode: 130, output: "" });
    expect(process.signals).toEqual(["SIGINT"]);
  });

  it("tells the model that the input was not taken", async () => {
    const { process, thread, clock } = await inBackground({ cmd: "cat", tty: true });
    process.refuse = async () => {
      throw new ProcessError("stdinClosed", "closed");
    };
    const answer = thread.write({ session_id: 1000, chars: "x" });
    answer.catch(() => {});
    await clock.timerOf(100);
    await clock.advance(100);
    await expect(answer).rejects.toThrow("write_stdin failed: failed to write to stdin");
  });

  it("says which environment offers no interrupt", async () => {
    const { process, thread, clock } = await inBackground();
    process.refuse = async () => {
      throw new ProcessError("unsupported", "far cannot send signals");
    };
    const answer = thread.write({ session_id: 1000, chars: "\u0003" });
    answer.catch(() => {});
    await clock.timerOf(100);
    await clock.advance(100);
    await expect(answer).rejects.toThrow("write_stdin failed: far cannot send signals");
  });

  it("tells the exit instead when the command has just ended", async () => {
    const { process, thread } = await inBackground({ cmd: "cat", tty: true });
    process.refuse = async () => {
      throw new ProcessError("stdinClosed", "closed");
    };
    process.finish(0);
    expect(factsOf(await thread.write({ session_id: 1000, chars: "x" }))).toEqual({
      exitCode: 0,
      output: "",
    });
  });

  it("does not wait for a terminal that never reads", async () => {
    const { process, thread, clock } = await inBackground({ cmd: "sleep 60", tty: true });
    process.refuse = () => new Promise(() => {});
    const answer = thread.write({ session_id: 1000, chars: "x".repeat(300_000) });
    await clock.timerOf(100);
    await clock.advance(100);
    await clock.timerOf(250);
    await clock.advance(250);
    expect(factsOf(await answer)).toEqual({ sessionId: 1000, output: "" });
  });
});
