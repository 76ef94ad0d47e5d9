import { ProcessError } from "@codex/environment";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import {
  createAgent,
  defineTool,
  listSessionFiles,
  ModelError,
  readSessionFile,
  type TurnResult,
} from "../../src/index.ts";
import { agentBench, gathered } from "./agent-bench.ts";
import { calls, completed, completedAt, says, scriptedModel } from "./scripted-model.ts";

const cut = () =>
  new ModelError("stream", "the answer broke off", { isRetryable: true, phase: "stream" });
const echo = (run: (text: string) => string = (text) => text) =>
  defineTool({
    name: "echo",
    description: "Gives the text back.",
    parameters: z.object({ text: z.string().describe("The text.") }),
    isParallel: true,
    run: async ({ text }) => run(text),
  });
const usage = {
  input_tokens: 100,
  cached_input_tokens: 20,
  cache_write_input_tokens: 0,
  output_tokens: 10,
  reasoning_output_tokens: 3,
};

describe("a turn", () => {
  test("exec-cli.md 3: a plain answer is four events, with usage of the thread and of the turn", async () => {
    const model = scriptedModel([says("Hello."), completed]);
    const { agent } = await agentBench({ model });
    await using thread = agent.startThread();
    expect(await gathered(thread.runStreamed("go"))).toEqual([
      { type: "thread.started", thread_id: thread.id, schema_version: 1, environment: "memory" },
      { type: "turn.started" },
      { type: "item.completed", item: { id: "item_0", type: "agent_message", text: "Hello." } },
      { type: "turn.completed", usage, turn_usage: usage, tool_failures: 0 },
    ]);
  });

  test("exec-cli.md 4: in the next request all calls come first, then all outputs in call order; each input starts with the one before", async () => {
    const model = scriptedModel(
      [
        calls("echo", "a", { text: "1" }),
        says("Working."),
        calls("echo", "b", { text: "2" }),
        completed,
      ],
      [says("Done."), completed],
    );
    const { agent } = await agentBench({ model, tools: [echo()] });
    await using thread = agent.startThread();
    const result = await thread.run("go");
    expect(result).toMatchObject({ status: "completed", finalMessage: "Done.", error: undefined });
    const [first, second] = model.prompts;
    expect(second?.input.slice(0, first?.input.length)).toEqual(first?.input);
    expect(
      second?.input
        .slice(first?.input.length)
        .map((item) => [item.type, "call_id" in item ? item.call_id : undefined]),
    ).toEqual([
      ["function_call", "a"],
      ["message", undefined],
      ["function_call", "b"],
      ["function_call_output", "a"],
      ["function_call_output", "b"],
    ]);
  });

  test("a stream that breaks after a tool ran asks again with the output, and the tool does not run twice", async () => {
    let runs = 0;
    const model = scriptedModel(
      [calls("echo", "a", { text: "x" }), cut()],
      [says("Done."), completed],
    );
    const { agent } = await agentBench({ model, tools: [echo((text) => `${text}${(runs += 1)}`)] });
    await using thread = agent.startThread();
    const events = await gathered(thread.runStreamed("go"));
    expect(events.filter((event) => event.type === "error")).toEqual([
      { type: "error", message: "Reconnecting... 1/5 (the answer broke off)" },
    ]);
    expect(events.at(-1)).toMatchObject({ type: "turn.completed" });
    expect(runs).toBe(1);
    expect(model.prompts[1]?.input.at(-1)).toMatchObject({
      type: "function_call_output",
      call_id: "a",
      output: "x1",
    });
  });

  test("an error that does not pass ends the turn: `error`, then `turn.failed` with the same words and its kind", async () => {
    const refused = new ModelError("http", "unexpected status 404 Not Found", {
      isRetryable: false,
      phase: "request",
    });
    const { agent } = await agentBench({ model: scriptedModel([refused]) });
    await using thread = agent.startThread();
    expect((await gathered(thread.runStreamed("go"))).slice(-2)).toMatchObject([
      { type: "error", message: "unexpected status 404 Not Found" },
      { type: "turn.failed", error: { message: "unexpected status 404 Not Found", kind: "model" } },
    ]);
  });

  test("an executor that is lost ends the turn with kind `environment`", async () => {
    const lost = defineTool({
      name: "lose",
      description: "Loses the executor.",
      parameters: z.object({}),
      run: () => Promise.reject(new ProcessError("lost", "the link is gone")),
    });
    const { agent } = await agentBench({
      model: scriptedModel([calls("lose", "a"), completed]),
      tools: [lost],
    });
    await using thread = agent.startThread();
    expect(await thread.run("go")).toMatchObject({
      status: "failed",
      error: { kind: "environment", message: "the link is gone" },
    });
  });

  test("limits end a turn cleanly with kind `limit`, what was done is kept", async () => {
    const busy = [calls("echo", "a", { text: "x" }), says("Half."), completed];
    const { agent } = await agentBench({ model: scriptedModel(busy, busy), tools: [echo()] });
    await using thread = agent.startThread();
    const byRequests = await thread.run("go", { limits: { maxTurns: 1 } });
    const byTokens = await thread.run("go on", { limits: { maxTokens: 50 } });
    const kind = ({ status, finalMessage, error }: TurnResult) => ({ status, finalMessage, error });
    expect([kind(byRequests), kind(byTokens)]).toEqual([
      {
        status: "failed",
        finalMessage: "Half.",
        error: { kind: "limit", message: "stopped after 1 model requests (the limit is 1)" },
      },
      {
        status: "failed",
        finalMessage: "Half.",
        error: { kind: "limit", message: "stopped after 90 tokens (the limit is 50)" },
      },
    ]);
  });

  test("a time limit ends a silent model", async () => {
    const { agent } = await agentBench({ model: scriptedModel(["hang"]) });
    await using thread = agent.startThread();
    expect(await thread.run("go", { limits: { timeoutMs: 20 } })).toMatchObject({
      error: { kind: "limit", message: "stopped after 0.02 s (the limit of the run)" },
    });
  });

  test("an abort ends the turn with kind `interrupted`; the next turn tells the model", async () => {
    const model = scriptedModel([says("Wait."), "hang"], [says("Again."), completed]);
    const { agent } = await agentBench({ model });
    await using thread = agent.startThread();
    const abort = new AbortController();
    let last;
    for await (const event of thread.runStreamed("go", { signal: abort.signal })) {
      if (event.type === "item.completed" && event.item.type === "agent_message") abort.abort();
      last = event;
    }
    expect(last).toMatchObject({ type: "turn.failed", error: { kind: "interrupted" } });
    await thread.run("again");
    expect(JSON.stringify(model.prompts[1]?.input)).toContain("<turn_aborted>");
  });

  test("leaving the loop early ends the turn, and the thread takes another", async () => {
    const { agent } = await agentBench({
      model: scriptedModel(["hang"], [says("Second."), completed]),
    });
    await using thread = agent.startThread();
    for await (const event of thread.runStreamed("go")) if (event.type === "turn.started") break;
    expect(await thread.run("again")).toMatchObject({ finalMessage: "Second." });
  });

  test("session.md 8: an image the server refuses is replaced by a note, once", async () => {
    const refused = new ModelError("invalidImage", "bad image", {
      isRetryable: false,
      phase: "request",
    });
    const model = scriptedModel([refused], [says("Fine."), completed]);
    const { agent } = await agentBench({ model });
    await using thread = agent.startThread();
    const result = await thread.run({
      text: "look",
      images: [{ path: "a.png", url: "data:image/png;base64,AA==" }],
    });
    expect(result.finalMessage).toBe("Fine.");
    expect(JSON.stringify(model.prompts.map((prompt) => prompt.input))).toContain("input_image");
    expect(JSON.stringify(model.prompts[1]?.input)).not.toContain("input_image");
  });
});

describe("the first request", () => {
  test("project-doc.md 9.1, G15: AGENTS.md of the environment is in it, with the environment's own cwd", async () => {
    const model = scriptedModel([says("ok"), completed]);
    const { agent } = await agentBench({
      model,
      files: { "/work/AGENTS.md": "Be kind.\n" },
      overrides: ['developer_instructions="From the team."'],
    });
    await using thread = agent.startThread();
    await thread.run("go");
    const [developer, user, prompt] = model.prompts[0]?.input ?? [];
    expect(developer).toMatchObject({
      role: "developer",
      content: [
        {
          text: expect.stringMatching(
            /^<permissions instructions>[^]*danger-full-access[^]*<\/permissions instructions>$/,
          ),
        },
        { text: "From the team." },
      ],
    });
    expect(user).toMatchObject({
      role: "user",
      content: [
        {
          text: "# AGENTS.md instructions for /work\n\n<INSTRUCTIONS>\nBe kind.\n\n</INSTRUCTIONS>",
        },
        {
          text: [
            "<environment_context>",
            "  <cwd>/work</cwd>",
            "  <shell>bash</shell>",
            "  <current_date>2026-01-02</current_date>",
            "  <timezone>Etc/UTC</timezone>",
            '  <filesystem><workspace_roots><root>/work</root></workspace_roots><permission_profile type="disabled"><file_system type="unrestricted"></file_system></permission_profile></filesystem>',
            "</environment_context>",
          ].join("\n"),
        },
      ],
    });
    expect(prompt).toMatchObject({ role: "user", content: [{ type: "input_text", text: "go" }] });
  });

  test("F1-F3: tools named by the configuration follow the model's own; an unknown name is a warning", async () => {
    const model = scriptedModel([says("ok"), completed]);
    const { agent } = await agentBench({
      model,
      overrides: ['experimental_supported_tools=["read_file","list_dir","read_file","no_such"]'],
    });
    await using thread = agent.startThread();
    const { items } = await thread.run("go");
    expect(model.prompts[0]?.tools.map((tool) => ("name" in tool ? tool.name : tool.type))).toEqual(
      [
        "exec_command",
        "write_stdin",
        "request_user_input",
        "apply_patch",
        "read_file",
        "list_dir",
        "view_image",
      ],
    );
    expect(items).toContainEqual({
      id: expect.any(String),
      type: "error",
      message: expect.stringContaining("`no_such`"),
    });
  });

  test("issue 04: without an environment no command or file tool is offered", async () => {
    const model = scriptedModel([says("ok"), completed]);
    const { agent } = await agentBench({ model, overrides: ['environment="none"'] });
    await using thread = agent.startThread();
    await thread.run("go");
    expect(model.prompts[0]?.tools.map((tool) => ("name" in tool ? tool.name : tool.type))).toEqual(
      ["request_user_input"],
    );
  });
});

describe("thread memory", () => {
  test("session.md 12: every completed item is in the rollout when its event is seen", async () => {
    const { agent, home } = await agentBench({
      model: scriptedModel([says("one"), says("two"), completed]),
    });
    await using thread = agent.startThread();
    for await (const event of thread.runStreamed("go")) {
      if (event.type !== "item.completed") continue;
      const [file] = listSessionFiles(home);
      expect(readFileSync(file?.path ?? "", "utf8")).toContain(JSON.stringify(event.item));
    }
  });

  test("session.md 13: a resumed thread keeps id, file, usage and conversation, and repeats no context", async () => {
    const before = scriptedModel(
      [calls("echo", "a", { text: "x" }), completed],
      [says("First."), completed],
    );
    const { agent, home, config, environment } = await agentBench({
      model: before,
      tools: [echo()],
      files: { "/work/AGENTS.md": "Doc." },
    });
    const first = agent.startThread();
    await first.run("go");
    await first[Symbol.asyncDispose]();
    const [file] = listSessionFiles(home);
    const recorded = file && readSessionFile(file);
    if (file === undefined || recorded === undefined) throw new Error("no session file");
    const after = scriptedModel([says("Second."), completed]);
    const again = createAgent({
      config,
      environment,
      model: after,
      today: () => ({ currentDate: "2026-01-02", timezone: "Etc/UTC" }),
    });
    await using second = again.resumeThread({ recorded, path: file.path });
    const events = await gathered(second.runStreamed("go on"));
    expect(second.id).toBe(first.id);
    expect(listSessionFiles(home)).toHaveLength(1);
    const sent = after.prompts[0]?.input ?? [];
    expect(sent.slice(0, -1)).toEqual([
      ...(before.prompts[1]?.input ?? []),
      expect.objectContaining({ role: "assistant" }),
    ]);
    expect(events.at(-1)).toMatchObject({
      usage: { input_tokens: 300 },
      turn_usage: { input_tokens: 100 },
    });
  });

  test("an ephemeral thread leaves nothing on disk", async () => {
    const { agent, home } = await agentBench({
      model: scriptedModel([says("ok"), completed]),
      isEphemeral: true,
    });
    await using thread = agent.startThread();
    await thread.run("go");
    expect(listSessionFiles(home)).toEqual([]);
  });
});

describe("session.md 9: compaction", () => {
  test("a context near the window is summarised before the next request, which starts anew", async () => {
    const model = scriptedModel(
      [calls("echo", "a", { text: "x" }), completedAt(950)],
      [says("Summary of it all."), completed],
      [says("Done."), completed],
    );
    const { agent, home } = await agentBench({
      model,
      tools: [echo()],
      overrides: ["model_context_window=1000"],
    });
    await using thread = agent.startThread();
    const events = await gathered(thread.runStreamed("the task"));
    expect(events.map((event) => event.type)).not.toContain("error");
    const [first, asked, next] = model.prompts;
    expect(asked?.tools).toEqual([]);
    expect(asked?.input.at(-1)).toMatchObject({ role: "user" });
    expect(next?.input.slice(0, 2)).toEqual(first?.input.slice(0, 2));
    expect(next?.input.slice(2)).toMatchObject([
      { content: [{ text: "the task" }] },
      { content: [{ text: expect.stringContaining("Summary of it all.") }] },
    ]);
    const [file] = listSessionFiles(home);
    expect(file && readSessionFile(file)?.items.slice(0, 4)).toEqual(next?.input.slice(0, 4));
  });
});

test("two agents in one process do not see each other", async () => {
  const benches = await Promise.all(
    ["one", "two"].map(async (text) => ({
      text,
      ...(await agentBench({ model: scriptedModel([says(text), completed]) })),
    })),
  );
  const results = await Promise.all(
    benches.map(async ({ agent }) => {
      await using thread = agent.startThread();
      return await thread.run("go");
    }),
  );
  expect(results.map((result) => result.finalMessage)).toEqual(["one", "two"]);
});

test("a thread that cannot be opened says why before any event", async () => {
  const model = scriptedModel();
  const { environment, config } = await agentBench({ model });
  const broken = {
    ...environment,
    info: () => Promise.reject(new ProcessError("lost", "nobody there")),
  };
  await using thread = createAgent({ config, environment: broken, model }).startThread();
  await expect(gathered(thread.runStreamed("go"))).rejects.toThrow("nobody there");
  expect(model.prompts).toEqual([]);
});

test("a tool's long output is cut where it is recorded, as the model's budget says", async () => {
  const model = scriptedModel(
    [calls("echo", "a", { text: "x".repeat(100_000) }), completed],
    [says("Done."), completed],
  );
  const { agent } = await agentBench({
    model,
    tools: [echo()],
    overrides: ["tool_output_token_limit=100"],
  });
  await using thread = agent.startThread();
  await thread.run("go");
  expect(model.prompts[1]?.input.at(-1)).toMatchObject({
    output: `${"x".repeat(240)}…24880 tokens truncated…${"x".repeat(240)}`,
  });
});
