import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { findSessionFile, readSessionFile, readTranscript } from "@codex/core";
import type { ThreadEvent, ThreadItem } from "@codex/protocol";
import {
  type CliResult,
  runCli,
  type RunCliOptions,
  temporaryDirectory,
} from "@codex/test-support";
import { beforeAll, expect, test } from "vitest";
import { type SentItem, startStepModel, type Step, type StepModel } from "./step-model.ts";

const moments = process.env["CODEX_SOAK"] === "1" ? 50 : 6;

/** Every call leaves a line of its own, so that one that ran twice shows. */
const command = (id: string, more = "", tty = false): Step => ({
  [id]: {
    function_call: {
      name: "exec_command",
      arguments: { cmd: `echo ${id} >> ledger.txt; ${more}`, tty },
    },
  },
});
const patch = (id: string): Step => ({
  [id]: {
    custom_tool_call: {
      name: "apply_patch",
      input: `*** Begin Patch\n*** Update File: ledger.txt\n@@\n+${id}\n*** End of File\n*** End Patch`,
    },
  },
});
const steps: readonly Step[] = [
  command("first", "seq 1 2000"),
  { ...command("left", "sleep 0.05"), ...command("right", "seq 1 20000") },
  patch("patched"),
  command("terminal", "printf x", true),
  { ...command("before", "sleep 0.03"), ...patch("between"), ...command("after", "true") },
  patch("last"),
];
const callIds = steps.flatMap((step) => Object.keys(step));

let lines = 0;
let kills = 0;
beforeAll(async () => {
  await inPlace(async ({ codex }) => {
    const { code, events } = await codex(["work"]);
    expect(code).toBe(0);
    lines = events.length;
  });
});

test.each(randomMoments(moments))(
  "killed %f of its way and %d ms further on, and resumed, a run has lost nothing it reported and done nothing twice",
  async (share, delayMs) => {
    await inPlace(async ({ codex, home, workspace, model }) => {
      const killed = await codex(["work"], { afterLines: Math.ceil(share * lines), delayMs });
      if (killed.signal === "SIGKILL") kills += 1;
      const id = threadOf(killed.events);
      const path = findSessionFile(home, id)?.path ?? "";
      const reported = completedItems(killed.events);
      const recorded = readTranscript(await readFile(path, "utf8"));
      expect(recorded.flatMap(({ items }) => items).slice(0, reported.length)).toEqual(reported);

      const { code, stderr, events } = await codex(["resume", id, "go on"]);
      expect({ code, stderr, id: threadOf(events) }).toEqual({ code: 0, stderr: "", id });
      expect(completedItems(events).at(-1)).toMatchObject({ text: "All done." });

      const input = model.inputs.at(-1) ?? [];
      expect(messagesIn(input)).toEqual(expect.arrayContaining(reported.flatMap(textOf)));
      expect(answersIn(input).map(([call]) => call)).toEqual(callIds);
      const ledger = (await readFile(join(workspace, "ledger.txt"), "utf8")).split("\n");
      for (const [call, outputs] of answersIn(input)) {
        const times = ledger.filter((line) => line === call).length;
        // A call that was under way may have got as far as its line, or not.
        const expected = outputs.join().startsWith("aborted: ") ? [0, 1] : [1];
        expect({ call, outputs, times }).toEqual({
          call,
          outputs: [expect.anything()],
          times: expect.toBeOneOf(expected),
        });
      }
      const file = readSessionFile({ path });
      expect(file).toMatchObject({ lostOutputs: [], invalidLines: expect.toBeOneOf([0, 1]) });
    });
  },
);

test("most of those runs were really killed", () => {
  expect(kills).toBeGreaterThan(moments / 2);
});

/** A run's own lines and then up to 20 ms: all over it, whatever the machine is busy with, and the same in every run of the suite. */
function randomMoments(count: number): [share: number, delayMs: number][] {
  let state = 20_260_107;
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return Array.from({ length: count }, (_, index) => [
    Number(((index + random()) / count).toFixed(3)),
    Math.floor(random() * 20),
  ]);
}

interface Kill {
  readonly afterLines: number;
  readonly delayMs: number;
}

interface Place {
  readonly model: StepModel;
  readonly home: string;
  readonly workspace: string;
  /** `codex exec --json …`, to its end or to a kill -9 some time after it has printed so many lines. */
  readonly codex: (args: readonly string[], kill?: Kill) => Promise<CliResult>;
}

async function inPlace(use: (place: Place) => Promise<void>): Promise<void> {
  await using folder = await temporaryDirectory();
  await using model = await startStepModel(steps);
  const [home, workspace] = [join(folder.path, "home"), join(folder.path, "workspace")];
  await mkdir(home);
  await folder.write("workspace/ledger.txt", "ledger\n");
  const provider = `model_providers.steps={name="steps",base_url="${model.baseUrl}"}`;
  const options = ["--json", "--skip-git-repo-check", "-s", "danger-full-access"];
  const config = ["-c", provider, "-c", "model_provider=steps"];
  const codex: Place["codex"] = (args, kill) =>
    runCli({
      args: ["exec", ...options, ...config, ...args],
      cwd: workspace,
      env: { HOME: folder.path, CODEX_HOME: home },
      ...(kill && { onStdout: killing(kill) }),
    });
  await use({ model, home, workspace, codex });
}

function killing({ afterLines, delayMs }: Kill): NonNullable<RunCliOptions["onStdout"]> {
  let isDue = false;
  return (text, child) => {
    if (isDue || text.split("\n").length <= afterLines) return;
    isDue = true;
    setTimeout(() => child.kill("SIGKILL"), delayMs);
  };
}

function threadOf([first]: readonly ThreadEvent[]): string {
  return first?.type === "thread.started" ? first.thread_id : "";
}

function completedItems(events: readonly ThreadEvent[]): ThreadItem[] {
  return events.flatMap((event) => (event.type === "item.completed" ? [event.item] : []));
}

function textOf(item: ThreadItem): string[] {
  return item.type === "agent_message" ? [item.text] : [];
}

function messagesIn(input: readonly SentItem[]): string[] {
  return input.flatMap(({ content = [] }) => content.map(({ text = "" }) => text));
}

/** Every call with all its outputs, in the order of the calls. */
function answersIn(input: readonly SentItem[]): [string, unknown[]][] {
  const calls = input.filter(({ type }) => type.endsWith("_call"));
  return calls.map(({ call_id = "" }) => [
    call_id,
    input
      .filter((item) => item.type.endsWith("_output") && item.call_id === call_id)
      .map(({ output }) => output),
  ]);
}
