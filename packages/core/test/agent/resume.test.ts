import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { messageText, isMessage, type ResponseItem } from "@codex/protocol";
import { expect, test } from "vitest";
import {
  createAgent,
  listSessionFiles,
  type ModelClient,
  readSessionFile,
  type ResumedThread,
} from "../../src/index.ts";
import { agentBench, gathered } from "./agent-bench.ts";
import { calls, completed, says, scriptedModel } from "./scripted-model.ts";

function lastOf(home: string): ResumedThread {
  const [file, ...others] = listSessionFiles(home);
  const recorded = file && readSessionFile(file);
  if (file === undefined || recorded === undefined) throw new Error("no session file");
  expect(others).toEqual([]);
  return { recorded, path: file.path };
}

function appendLines(path: string, ...records: readonly (readonly [string, unknown])[]): void {
  for (const [type, payload] of records)
    appendFileSync(
      path,
      `${JSON.stringify({ timestamp: "2026-01-02T03:04:05.000Z", type, payload })}\n`,
    );
}

const texts = (items: readonly ResponseItem[] = []): string[] =>
  items.filter(isMessage).map(messageText);

async function oneTurn(
  { config, environment }: Awaited<ReturnType<typeof agentBench>>,
  turn: { readonly resumed: ResumedThread; readonly model: ModelClient; readonly now?: number },
) {
  const agent = createAgent({
    config,
    environment,
    model: turn.model,
    today: () => ({ currentDate: "2026-01-02", timezone: "Etc/UTC" }),
    ...(turn.now === undefined ? {} : { now: () => turn.now ?? 0 }),
  });
  await using thread = agent.resumeThread(turn.resumed);
  return await gathered(thread.runStreamed("go on"));
}

test("session.md 13: a thread taken up on another day is written on in its own file", async () => {
  const bench = await agentBench({ model: scriptedModel([says("One."), completed]) });
  await using thread = bench.agent.startThread();
  await thread.run("go");
  const day = 24 * 60 * 60 * 1000;
  const model = scriptedModel([says("Two."), completed]);
  await oneTurn(bench, { resumed: lastOf(bench.home), model, now: Date.now() + 3 * day });
  const { recorded } = lastOf(bench.home);
  expect(recorded).toMatchObject({ turns: 2, lastMessage: "Two.", invalidLines: 0 });
});

test("outputs a killed run left without a place get one, which they keep when it is resumed again", async () => {
  const bench = await agentBench({ model: scriptedModel([says("One."), completed]) });
  await using thread = bench.agent.startThread();
  await thread.run("go");
  const { path } = lastOf(bench.home);
  const call = (id: string) => ({
    type: "function_call",
    id,
    call_id: id,
    name: "x",
    arguments: "{}",
  });
  appendLines(
    path,
    ["response_item", call("a")],
    ["response_item", call("b")],
    ["tool_output", { type: "function_call_output", call_id: "b", output: "done" }],
  );
  appendFileSync(path, '{"timestamp":"2026-01-02T03:04:05.000Z","type":"respo');
  const [second, third] = [
    scriptedModel([says("Two."), completed]),
    scriptedModel([says("Three."), completed]),
  ];
  await oneTurn(bench, { resumed: lastOf(bench.home), model: second });
  await oneTurn(bench, { resumed: lastOf(bench.home), model: third });
  const sent = second.prompts[0]?.input ?? [];
  expect(sent.slice(-3)).toMatchObject([
    { call_id: "a", output: expect.stringMatching(/^aborted: /) },
    { call_id: "b", output: "done" },
    { role: "user" },
  ]);
  expect(third.prompts[0]?.input.slice(0, sent.length)).toEqual(sent);
  expect(lastOf(bench.home).recorded).toMatchObject({ invalidLines: 1, lostOutputs: [] });
});

test("a rollout cut anywhere after its first line resumes: a part of the conversation, every call answered once", async () => {
  const bench = await agentBench({
    model: scriptedModel(
      [says("One."), calls("exec_command", "a", { cmd: "first" }), completed],
      [calls("exec_command", "b", { cmd: "second" }), calls("unknown", "c"), completed],
      [says("Done."), completed],
    ),
  });
  await using thread = bench.agent.startThread();
  await thread.run("go");
  const { path, recorded: whole } = lastOf(bench.home);
  const bytes = readFileSync(path);
  for (let at = bytes.indexOf(10); at < bytes.length; at += 61) {
    writeFileSync(path, bytes.subarray(0, at));
    const model = scriptedModel([says("Two."), completed]);
    const resumed = lastOf(bench.home);
    await oneTurn(bench, { resumed, model });
    const { items } = resumed.recorded;
    const sent = model.prompts[0]?.input ?? [];
    expect(items).toEqual(whole.items.slice(0, items.length));
    expect(sent.slice(0, items.length)).toEqual(items);
    const idsOf = (type: RegExp): unknown[] =>
      sent.flatMap((item) =>
        type.test(item.type) ? [(item as { call_id?: unknown }).call_id] : [],
      );
    expect(idsOf(/_output$/)).toEqual(idsOf(/_call$/));
    expect(lastOf(bench.home).recorded).toMatchObject({ lastMessage: "Two.", lostOutputs: [] });
  }
});

test("a setting that was changed and changed back is told each time", async () => {
  const bench = await agentBench({ model: scriptedModel([says("One."), completed]) });
  await using thread = bench.agent.startThread();
  await thread.run("go");
  for (const mode of ["read-only", "danger-full-access"] as const) {
    const model = scriptedModel([says("Next."), completed]);
    const sandbox = mode === "read-only" ? { mode, networkAccess: false } : { mode };
    const config = { ...bench.config, sandbox };
    const resumed = lastOf(bench.home);
    await oneTurn({ ...bench, config }, { resumed, model });
    const news = texts(model.prompts[0]?.input.slice(resumed.recorded.items.length));
    expect(news).toEqual([
      expect.stringContaining(`\`sandbox_mode\` is \`${mode}\``),
      expect.stringContaining("<environment_context>"),
      "go on",
    ]);
  }
});

test("another model than the thread's last one is a warning, and the one that counts the next time", async () => {
  const bench = await agentBench({ model: scriptedModel([says("One."), completed]) });
  await using thread = bench.agent.startThread();
  await thread.run("go");
  const other = { ...bench, config: { ...bench.config, model: "gpt-5.5-2026-02-01" } };
  const warnings: unknown[][] = [];
  for (const from of [other, other, bench]) {
    const model = scriptedModel([says("Next."), completed]);
    const events = await oneTurn(from, { resumed: lastOf(bench.home), model });
    warnings.push(
      events.flatMap((event) =>
        event.type === "item.completed" && event.item.type === "error" ? [event.item.message] : [],
      ),
    );
  }
  const warning = (before: string, now: string): string =>
    `This thread was last answered by \`${before}\` and goes on with \`${now}\`.`;
  expect(warnings).toEqual([
    [warning("gpt-5.5", "gpt-5.5-2026-02-01")],
    [],
    [warning("gpt-5.5-2026-02-01", "gpt-5.5")],
  ]);
});

test("exec-cli.md 2: images come first in three parts; one that cannot be used is a text and a warning", async () => {
  const model = scriptedModel([says("Seen."), completed]);
  const { agent } = await agentBench({ model });
  await using thread = agent.startThread();
  const url = "data:image/png;base64,AAAA";
  const images = [
    { path: "a.png", url },
    { path: "gone.png", problem: "No such file or directory (os error 2)" },
  ];
  const events = await gathered(thread.runStreamed({ text: "look", images }));
  const said =
    "Codex could not read the local image at `gone.png`: No such file or directory (os error 2)";
  expect(model.prompts[0]?.input.at(-1)).toMatchObject({
    role: "user",
    content: [
      { type: "input_text", text: '<image name=[Image #1] path="a.png">' },
      { type: "input_image", image_url: url, detail: "original" },
      { type: "input_text", text: "</image>" },
      { type: "input_text", text: said },
      { type: "input_text", text: "look" },
    ],
  });
  expect(events[2]).toEqual({
    type: "item.completed",
    item: { id: "item_0", type: "error", message: said },
  });
});
