import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { startCuttingProxy, temporaryDirectory } from "@codex/test-support";
import { expect, test } from "vitest";
import { startExecutor } from "./executor.ts";
import { runAt } from "./far-run.ts";

const message = expect.any(String);

/** A run whose command waits at a fifo in the middle of its output; what happens there is up to the test. */
async function openRun(settings: string) {
  const executor = await startExecutor();
  const proxy = await startCuttingProxy(executor.url);
  const there = await temporaryDirectory({ ".git/HEAD": "" });
  for (const name of ["reached", "go"]) spawnSync("mkfifo", [`${there.path}/${name}`]);
  const cmd = "seq 1 2000; echo here > reached; read -r line < go; seq 2001 4000; exit 3";
  const call = { name: "exec_command", arguments: { cmd, yield_time_ms: 30_000 } };
  const running = runAt(`url = "${proxy.url}"\nworkspace_root = "${there.path}"\n${settings}`, {
    args: ["--json", "go"],
    scenario: [[{ function_call: call }], [{ message: "done" }]],
  });
  await Promise.race([readFile(`${there.path}/reached`), running]);
  return {
    running,
    proxy,
    goOn: () => writeFile(`${there.path}/go`, "go\n"),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await executor[Symbol.asyncDispose]();
      await there[Symbol.asyncDispose]();
    },
  };
}

test("a run rides through a cut: the command's output is whole, its code is told, and events say what happened", async () => {
  await using run = await openRun("");
  run.proxy.cut();
  await run.goOn();
  const { code, events } = await run.running;
  expect(code).toBe(0);
  expect(events.filter(({ type }) => String(type).startsWith("environment."))).toEqual([
    { type: "environment.lost", environment: "far", message },
    { type: "environment.resumed", environment: "far", message },
  ]);
  const numbers = Array.from({ length: 4000 }, (_, index) => `${index + 1}\n`).join("");
  const commands = events.flatMap((event) =>
    event.type === "item.completed" && event.item.type === "command_execution" ? [event.item] : [],
  );
  expect(commands).toMatchObject([{ exit_code: 3, aggregated_output: numbers }]);
});

test("a run whose executor cannot be reached again gives up: an event with the reason, exit 4", async () => {
  await using run = await openRun("resume_timeout_sec = 0.5");
  run.proxy.refuse(true);
  run.proxy.cut();
  const { code, events } = await run.running;
  expect(code).toBe(4);
  const gaveUp = expect.stringMatching(/^environment `far` is lost: .* could not be resumed: /);
  expect(events.filter(({ type }) => String(type).startsWith("environment."))).toEqual([
    { type: "environment.lost", environment: "far", message },
    { type: "environment.gave_up", environment: "far", message: gaveUp },
  ]);
  expect(events.at(-1)).toMatchObject({
    type: "turn.failed",
    error: { kind: "environment", message: gaveUp },
    exit_code: 4,
  });
});
