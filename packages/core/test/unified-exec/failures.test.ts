import { ProcessError } from "@codex/environment";
import { describe, expect, it } from "vitest";
import { settled } from "./manual-clock.ts";
import { factsOf, inBackground, scripted } from "./scripted-thread.ts";

const started = {
  type: "command_execution",
  command: "/bin/bash -lc 'echo hi'",
  aggregated_output: "",
  exit_code: null,
  status: "in_progress",
};

describe("a command that cannot be started", () => {
  it.each([
    ["badCwd", "No such file or directory (os error 2)"],
    ["notFound", "No such file or directory (os error 2)"],
    ["permissionDenied", "Permission denied (os error 13)"],
    ["sandboxUnavailable", "bubblewrap is missing"],
  ] as const)(
    "exec-cli.md 4: is answered (%s), its item has code -1, its id is free",
    async (kind, text) => {
      const { environment, thread, items } = scripted();
      environment.beforeStart = () => {
        throw new ProcessError(kind, "bubblewrap is missing");
      };
      await expect(thread.exec({ cmd: "echo hi", workdir: "/missing" })).rejects.toThrow(
        `exec_command failed: CreateProcess { message: "Rejected(\\"Failed to create unified exec process: ${text}\\")" }`,
      );
      expect(items.events).toEqual([
        ["started", "item_0", started],
        [
          "completed",
          "item_0",
          {
            ...started,
            aggregated_output: `Failed to create unified exec process: ${text}`,
            exit_code: -1,
            status: "failed",
          },
        ],
      ]);
      environment.beforeStart = undefined;
      const next = thread.exec({ cmd: "server" }, AbortSignal.timeout(0));
      await expect(next).rejects.toThrow();
      (await environment.process()).finish(0);
      expect(factsOf(await thread.write({ session_id: 1000 })).exitCode).toBe(0);
    },
  );

  it("leaves nothing behind when it is aborted first", async () => {
    const { environment, thread, items } = scripted();
    const abort = new AbortController();
    environment.beforeStart = (signal) => {
      abort.abort(new Error("interrupted"));
      signal?.throwIfAborted();
    };
    await expect(thread.exec({ cmd: "echo hi" }, abort.signal)).rejects.toThrow("interrupted");
    expect(items.completed).toEqual([{ output: "", code: null, status: "failed" }]);
  });
});

describe("a lost environment ends the turn: its own error goes through", () => {
  it("at the start", async () => {
    const { environment, thread, items } = scripted();
    environment.beforeStart = () => {
      throw new ProcessError("lost", "the executor is gone");
    };
    await expect(thread.exec({ cmd: "echo hi" })).rejects.toMatchObject({
      name: "ProcessError",
      kind: "lost",
    });
    expect(items.completed).toEqual([{ output: "", code: null, status: "failed" }]);
  });

  it("during the wait, and no exit code is invented", async () => {
    const { environment, thread, items } = scripted();
    const answer = thread.exec({ cmd: "echo hi" });
    const process = await environment.process();
    process.print("half");
    await settled();
    process.lose();
    await expect(answer).rejects.toMatchObject({ name: "ProcessError", kind: "lost" });
    expect(items.completed).toEqual([{ output: "half", code: null, status: "failed" }]);
    await expect(thread.write({ session_id: 1000 })).rejects.toThrow("Unknown process id 1000");
  });

  it("at a write", async () => {
    const { process, thread } = await inBackground({ cmd: "cat", tty: true });
    process.refuse = async () => process.lose();
    await expect(thread.write({ session_id: 1000, chars: "x" })).rejects.toMatchObject({
      kind: "lost",
    });
  });
});
