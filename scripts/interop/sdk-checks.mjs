// The checks of `pnpm interop`: what the SDK's documentation promises, seen from its own side.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Skip } from "./bench.mjs";

const command = (cmd) => [{ function_call: { name: "exec_command", arguments: { cmd } } }];
const says = (message) => [{ message }];
const patch = (input) => [{ custom_tool_call: { name: "apply_patch", input } }];
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==",
  "base64",
);

/** Name to check. `open(scenario, options)` gives a bench that the caller closes. */
export const sdkChecks = {
  async "run: final response, items, usage"(open) {
    const bench = await open([command("echo hello"), says("It said hello.")]);
    const turn = await bench.codex.startThread(bench.threadOptions).run("say hello");
    assert.equal(turn.finalResponse, "It said hello.");
    assert.deepEqual(
      turn.items.map(({ type, status, aggregated_output, text }) => [
        type,
        status,
        aggregated_output ?? text,
      ]),
      [
        ["command_execution", "completed", "hello\n"],
        ["agent_message", undefined, "It said hello."],
      ],
    );
    assert.deepEqual(turn.usage, {
      input_tokens: 200,
      cached_input_tokens: 40,
      cache_write_input_tokens: 0,
      output_tokens: 20,
      reasoning_output_tokens: 6,
    });
  },

  async "runStreamed: events in order"(open) {
    const bench = await open([command("echo hello"), says("It said hello.")]);
    const thread = bench.codex.startThread(bench.threadOptions);
    assert.equal(thread.id, null);
    const { events } = await thread.runStreamed("say hello");
    const seen = [];
    for await (const event of events)
      seen.push(event.item ? `${event.type} ${event.item.type}` : event.type);
    assert.deepEqual(seen, [
      "thread.started",
      "turn.started",
      "item.started command_execution",
      "item.completed command_execution",
      "item.completed agent_message",
      "turn.completed",
    ]);
    assert.match(thread.id, /^[0-9a-f-]{36}$/);
  },

  async "runStreamed: left early, the run ends"(open) {
    const bench = await open([command("echo $$ > pid; sleep 60"), says("Late.")]);
    const { events } = await bench.codex.startThread(bench.threadOptions).runStreamed("wait");
    let pid;
    for await (const event of events) {
      if (event.type !== "item.started") continue;
      pid = await pidIn(join(bench.workspace, "pid"));
      break;
    }
    await processEnded(pid);
  },

  async "a second run of a thread goes on with it"(open) {
    const bench = await open([says("One."), says("Two.")]);
    const thread = bench.codex.startThread(bench.threadOptions);
    await thread.run("first");
    const { id } = thread;
    const turn = await thread.run("second");
    assert.deepEqual([turn.finalResponse, thread.id], ["Two.", id]);
    assert.equal(turn.usage.input_tokens, 200);
    assert.deepEqual(texts(bench.requests[1]).slice(-3), ["first", "One.", "second"]);
  },

  async "resumeThread: another client takes a thread up"(open) {
    const bench = await open([says("One."), says("Two.")]);
    const thread = bench.codex.startThread(bench.threadOptions);
    await thread.run("first");
    const resumed = bench.client().resumeThread(thread.id, bench.threadOptions);
    assert.equal((await resumed.run("second")).finalResponse, "Two.");
    assert.equal(resumed.id, thread.id);
    const [before, after] = bench.requests.map(({ body }) => body.input);
    assert.deepEqual(after.slice(0, before.length), before);
  },

  async "resumeThread: an unknown id is refused, nothing is started"(open) {
    const bench = await open([says("Never.")]);
    const id = "01a22a07-5a6f-7cb1-b581-a8050116bbdb";
    const run = bench.codex.resumeThread(id, bench.threadOptions).run("go on");
    await assert.rejects(run, /exited with code 2: .*No session found with the id 01a22a07/s);
    assert.equal(bench.requests.length, 0);
  },

  async "output schema"(open) {
    const bench = await open([says('{"answer": 1}')]);
    const outputSchema = {
      type: "object",
      properties: { answer: { type: "number" } },
      required: ["answer"],
      additionalProperties: false,
    };
    const turn = await bench.codex.startThread(bench.threadOptions).run("answer", { outputSchema });
    assert.deepEqual(JSON.parse(turn.finalResponse), { answer: 1 });
    assert.deepEqual(bench.requests[0].body.text.format, {
      type: "json_schema",
      strict: true,
      name: "codex_output_schema",
      schema: outputSchema,
    });
  },

  async "images, in a first and in a resumed turn"(open) {
    const bench = await open([says("Red."), says("Still red.")]);
    const path = join(bench.beside, "red.png");
    writeFileSync(path, png);
    const thread = bench.codex.startThread(bench.threadOptions);
    const input = [
      { type: "text", text: "which colour?" },
      { type: "local_image", path },
      { type: "text", text: "be brief" },
    ];
    for (const n of [0, 1]) {
      await thread.run(input);
      assert.deepEqual(bench.requests[n].body.input.at(-1).content, [
        { type: "input_text", text: `<image name=[Image #1] path="${path}">` },
        {
          type: "input_image",
          image_url: `data:image/png;base64,${png.toString("base64")}`,
          detail: "original",
        },
        { type: "input_text", text: "</image>" },
        { type: "input_text", text: "which colour?\n\nbe brief" },
      ]);
    }
  },

  async "abort: the run rejects, its command ends, the thread can be resumed"(open) {
    const bench = await open([command("echo $$ > pid; sleep 60"), says("Back.")]);
    const thread = bench.codex.startThread(bench.threadOptions);
    const abort = new AbortController();
    const { events } = await thread.runStreamed("wait", { signal: abort.signal });
    let pid;
    const reading = async () => {
      for await (const event of events) {
        if (event.type !== "item.started") continue;
        pid = await pidIn(join(bench.workspace, "pid"));
        abort.abort();
      }
    };
    await assert.rejects(reading, { name: "AbortError" });
    await processEnded(pid);
    assert.equal((await thread.run("go on")).finalResponse, "Back.");
  },

  async "workingDirectory: where commands run and AGENTS.md is read"(open) {
    const bench = await open([command("pwd"), says("There.")]);
    writeFileSync(join(bench.workspace, "AGENTS.md"), "Be kind.");
    const turn = await bench.codex.startThread(bench.threadOptions).run("where are you?");
    assert.equal(turn.items[0].aggregated_output, `${bench.workspace}\n`);
    assert.match(bench.requests[0].text, /Be kind\./);
  },

  async "additionalDirectories: may be written in the sandbox, others may not"(open) {
    const tries =
      "echo x > {{beside}}/in; echo x > {{workspace}}/in; echo x > /var/tmp/codex-interop-out";
    const bench = await open([command(tries), says("Done.")]);
    const thread = bench.codex.startThread({
      ...bench.threadOptions,
      sandboxMode: "workspace-write",
      additionalDirectories: [bench.beside],
    });
    const turn = await thread.run("write").catch((error) => {
      if (/sandbox/i.test(error.message) && /code 2/.test(error.message))
        throw new Skip(error.message);
      throw error;
    });
    assert.match(turn.items[0].aggregated_output, /codex-interop-out: Read-only file system/);
    const written = [
      join(bench.beside, "in"),
      join(bench.workspace, "in"),
      "/var/tmp/codex-interop-out",
    ];
    assert.deepEqual(
      written.map((path) => existsSync(path)),
      [true, true, false],
    );
  },

  async "file changes and plans are items"(open) {
    const add = "*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch";
    const plan = [
      { step: "A", status: "completed" },
      { step: "B", status: "in_progress" },
    ];
    const bench = await open(
      [
        [{ function_call: { name: "update_plan", arguments: { plan } } }],
        patch(add),
        says("Done."),
      ],
      { config: { tools: { update_plan: { enabled: true } } } },
    );
    const { items } = await bench.codex.startThread(bench.threadOptions).run("work");
    assert.deepEqual(
      items.map(({ type }) => type),
      ["file_change", "agent_message", "todo_list"],
    );
    assert.deepEqual(items[0].changes, [{ path: join(bench.workspace, "new.txt"), kind: "add" }]);
    assert.deepEqual(items[2].items, [
      { text: "A", completed: true },
      { text: "B", completed: false },
    ]);
    assert.equal(readFileSync(join(bench.workspace, "new.txt"), "utf8"), "hello\n");
  },

  async "config and configOverrides: objects, lists, raw text"(open) {
    const bench = await open([command("echo [$GIVEN]"), says("Done.")], {
      config: {
        model_verbosity: "high",
        developer_instructions: 'Say "please".\nAlways.',
        shell_environment_policy: { set: { GIVEN: "yes" } },
        project_doc_fallback_filenames: ["RULES.md"],
      },
      configOverrides: ["model_reasoning_summary=detailed"],
    });
    writeFileSync(join(bench.workspace, "RULES.md"), "Rule one.");
    const turn = await bench.codex.startThread(bench.threadOptions).run("go");
    assert.equal(turn.items[0].aggregated_output, "[yes]\n");
    const { body } = bench.requests[0];
    assert.equal(body.text.verbosity, "high");
    assert.equal(body.reasoning.summary, "detailed");
    assert.ok(texts(bench.requests[0]).includes('Say "please".\nAlways.'));
    assert.match(bench.requests[0].text, /Rule one\./);
  },

  async "every option of a thread and a turn is accepted"(open) {
    const bench = await open([says("One."), says("Two.")]);
    const thread = bench.codex.startThread({
      ...bench.threadOptions,
      model: "gpt-5.5",
      modelReasoningEffort: "high",
      networkAccessEnabled: true,
      webSearchMode: "live",
      approvalPolicy: "on-request",
      additionalDirectories: [bench.beside],
      threadSource: "interop",
    });
    for (const cyberAccessProgram of ["standard", "daybreak_blue"])
      await thread.run("go", { cyberAccessProgram });
    for (const { body } of bench.requests) {
      assert.deepEqual([body.model, body.reasoning.effort], ["gpt-5.5", "high"]);
      assert.ok(
        body.tools.some(
          ({ type, external_web_access }) => type === "web_search" && external_web_access,
        ),
      );
    }
  },

  async "every reasoning effort, approval policy and web search mode is accepted"(open) {
    const bench = await open([says("Fine.")]);
    const thread = (more) => bench.codex.startThread({ ...bench.threadOptions, ...more });
    const efforts = ["minimal", "low", "medium", "high", "xhigh", "max", "ultra", "persistent"];
    const variants = [
      ...efforts.map((modelReasoningEffort) => ({ modelReasoningEffort })),
      ...["never", "on-request", "on-failure", "untrusted"].map((approvalPolicy) => ({
        approvalPolicy,
      })),
      ...["disabled", "cached", "live"].map((webSearchMode) => ({ webSearchMode })),
      { webSearchEnabled: true },
      { webSearchEnabled: false },
    ];
    for (const variant of variants) {
      const { finalResponse } = await thread(variant).run("go");
      assert.equal(finalResponse, "Fine.", JSON.stringify(variant));
    }
  },

  async "base URL, key and originator reach the model's server"(open) {
    const bench = await open([says("Hello.")]);
    await bench.codex.startThread(bench.threadOptions).run("hello");
    const { path, headers } = bench.requests[0];
    assert.deepEqual(
      [path, headers.authorization, headers.originator],
      ["/v1/responses", "Bearer interop-key", "codex_sdk_ts"],
    );
  },

  async "a long prompt on stdin arrives whole"(open) {
    const bench = await open([says("Long.")]);
    const prompt = `-v ${"é\u2028😀\n".repeat(50_000)}`;
    await bench.codex.startThread(bench.threadOptions).run(prompt);
    assert.equal(texts(bench.requests[0]).at(-1), prompt);
  },

  async "a failed turn rejects with the server's words"(open) {
    const refusal = { status: 400, body: { error: { message: "this model is tired" } } };
    const bench = await open([[refusal]]);
    await assert.rejects(
      bench.codex.startThread(bench.threadOptions).run("fail"),
      /this model is tired/,
    );
  },
};

/** Every text of a request's input, in order. */
function texts({ body }) {
  return body.input.flatMap(({ content = [] }) => content.flatMap(({ text = [] }) => text));
}

/** The process number a command wrote into a file. */
function pidIn(file) {
  return within(
    5000,
    "no process number",
    () => existsSync(file) && Number(readFileSync(file, "utf8")),
  );
}

function processEnded(pid) {
  return within(5000, `process ${pid} still runs`, () => !isAlive(pid));
}

async function within(ms, failure, look) {
  for (const endMs = Date.now() + ms; Date.now() < endMs; await delay(20)) {
    const found = look();
    if (found) return found;
  }
  return assert.fail(failure);
}

function isAlive(pid) {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
