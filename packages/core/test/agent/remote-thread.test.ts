import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createLocalEnvironment,
  createMappedEnvironment,
  type Environment,
} from "@codex/environment";
import { connectInProcess, createExecServerEnvironment } from "@codex/exec-server";
import { parseThreadEvent, type ThreadEvent, toAbsolutePath } from "@codex/protocol";
import { expect, onTestFinished, test } from "vitest";
import { createAgent, createReplayClient, loadConfig } from "../../src/index.ts";
import { loadProjectDocs } from "../../src/project-doc/read.ts";

const variables = { PATH: process.env["PATH"], HOME: "/", SHELL: "/bin/sh" };

/** A prompt, an answer that is typed, and the end: a command whose life spans two calls. */
const conversation = [
  {
    v: 1,
    events: [
      {
        function_call: {
          name: "exec_command",
          arguments: {
            cmd: "read -r line; echo heard $line",
            tty: true,
            yield_time_ms: 250,
          },
        },
      },
    ],
  },
  {
    v: 1,
    events: [
      { function_call: { name: "write_stdin", arguments: { session_id: 1000, chars: "you\n" } } },
    ],
  },
  { v: 1, events: [{ function_call: { name: "exec_command", arguments: { cmd: "echo one" } } }] },
  { v: 1, events: [{ function_call: { name: "exec_command", arguments: { cmd: "echo two" } } }] },
  { v: 1, events: [{ message: "Done." }] },
];

test("seed P2, P11: a command that is written to and ends: its events are those of a local one, with the environment's name", async () => {
  const here = await eventsIn(localEnvironment());
  const there = await eventsIn(await remoteEnvironment());
  expect(here.map(({ type }) => type)).toEqual([
    "thread.started",
    "turn.started",
    "item.started",
    "item.completed",
    "item.started",
    "item.completed",
    "item.started",
    "item.completed",
    "item.completed",
    "turn.completed",
  ]);
  expect(withoutNames(there)).toEqual(withoutNames(here));
  expect(there.map((event) => parseThreadEvent(JSON.stringify(event)))).toEqual(there);
  expect(commands(there)).toEqual([
    { aggregated_output: "you\r\nheard you\r\n", exit_code: 0, environment: "far" },
    { aggregated_output: "one\n", exit_code: 0, environment: "far" },
    { aggregated_output: "two\n", exit_code: 0, environment: "far" },
  ]);
});

test("seed J18: with counting ids a remote command may use a number again as soon as the one before has ended", async () => {
  const events = await eventsIn(await remoteEnvironment());
  expect(commands(events).map(({ exit_code }) => exit_code)).toEqual([0, 0, 0]);
});

test("seed G13: the remote root and the doc below it are found from the local spelling of the directory", async () => {
  const there = mkdtempSync(join(tmpdir(), "far-docs-"));
  onTestFinished(() => rmSync(there, { recursive: true }));
  mkdirSync(join(there, ".git"));
  mkdirSync(join(there, "nested"));
  writeFileSync(join(there, "AGENTS.md"), "remote root doc");
  writeFileSync(join(there, "nested/AGENTS.md"), "remote nested doc");
  await using far = await remoteEnvironment();
  const { fileSystem } = createMappedEnvironment(far, {
    local: [toAbsolutePath("/local/workspace")],
    environment: [toAbsolutePath(there)],
  });
  const { text } = await loadProjectDocs({
    fileSystem,
    cwd: toAbsolutePath("/local/workspace/nested"),
    markers: [".git"],
    fallbackFilenames: [],
    maxBytes: 4096,
    signal: AbortSignal.timeout(10_000),
  });
  expect(text).toBe("remote root doc\n\nremote nested doc");
});

function localEnvironment(): Environment {
  return createLocalEnvironment({ cwd: toAbsolutePath("/tmp"), variables });
}

async function remoteEnvironment(): Promise<Environment> {
  const client = await connectInProcess(localEnvironment());
  return createExecServerEnvironment(client, { name: "far", cwd: toAbsolutePath("/tmp") });
}

async function eventsIn(environment: Environment): Promise<ThreadEvent[]> {
  await using _ = environment;
  const overrides = ['sandbox_mode="danger-full-access"', "project_doc_max_bytes=0"];
  const { config } = await loadConfig({
    variables: {},
    codexHome: "/nonexistent",
    cwd: "/tmp",
    homeDirectory: "/",
    flags: { overrides },
  });
  const text = conversation.map((exchange) => JSON.stringify(exchange)).join("\n");
  const model = createReplayClient({ file: "two calls", text });
  const options = { isEphemeral: true, sessionIds: "counting" } as const;
  await using thread = createAgent({ config, environment, model, ...options }).startThread();
  const events: ThreadEvent[] = [];
  for await (const event of thread.runStreamed("go")) events.push(event);
  return events;
}

function withoutNames(events: readonly ThreadEvent[]): unknown[] {
  const text = JSON.stringify(events, (key, value: unknown) =>
    ["thread_id", "environment", "duration_ms"].includes(key) ? undefined : value,
  );
  return JSON.parse(text) as unknown[];
}

function commands(events: readonly ThreadEvent[]) {
  return events.flatMap((event) => {
    if (event.type !== "item.completed" || event.item.type !== "command_execution") return [];
    const { aggregated_output, exit_code, environment } = event.item;
    return [{ aggregated_output, exit_code, environment }];
  });
}
