// `pnpm interop`: programs that others wrote, unmodified, against this build. They are installed from npm into a
// temporary folder outside the workspace. Ends with `N passed, N failed, N skipped`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cliPath, startModelServer } from "../packages/test-support/dist/index.js";

const folder = mkdtempSync(join(tmpdir(), "codex-interop-"));
const count = { passed: 0, failed: 0, skipped: 0 };
let runs = 0;
const withCommand = [
  [{ function_call: { name: "exec_command", arguments: { cmd: "echo hello" } } }],
  [{ message: "It said hello." }],
];

try {
  install("@openai/codex-sdk@latest");
  const { Codex } = await importFrom("@openai/codex-sdk");
  await check("the SDK's run: final response, items, usage", () => sdkRun(Codex));
  await check("the SDK's runStreamed: events in order", () => sdkRunStreamed(Codex));
  await check("the SDK's second turn resumes the thread", () => sdkSecondTurn(Codex));
  await check("the SDK hands over every option it has", () => sdkOptions(Codex));
  await check("the SDK reports a failed turn", () => sdkFailedTurn(Codex));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed === 0 ? 0 : 1);

function install(name) {
  writeFileSync(join(folder, "package.json"), '{"private": true}');
  execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--omit=optional", name], {
    cwd: folder,
    stdio: "inherit",
  });
}

async function importFrom(name) {
  const { exports } = JSON.parse(
    readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"),
  );
  return import(pathToFileURL(join(folder, "node_modules", name, exports["."].import)).href);
}

async function check(name, run) {
  try {
    await run();
    count.passed += 1;
    console.log(`ok      ${name}`);
  } catch (error) {
    count.failed += 1;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}

/** An SDK client over this build, with a home and a workspace of its own, beside a model that plays `scenario`. */
async function open(Codex, scenario) {
  const server = await startModelServer(scenario);
  const home = join(folder, `home-${++runs}`);
  const workingDirectory = join(folder, `workspace-${runs}`);
  mkdirSync(home);
  mkdirSync(workingDirectory);
  const codex = new Codex({
    codexPathOverride: cliPath,
    baseUrl: server.baseUrl,
    apiKey: "interop-key",
    env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home },
  });
  const options = { workingDirectory, skipGitRepoCheck: true, sandboxMode: "danger-full-access" };
  return { server, codex, options, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function sdkRun(Codex) {
  const { server, codex, options } = await open(Codex, withCommand);
  const turn = await codex.startThread(options).run("say hello");
  assert.equal(turn.finalResponse, "It said hello.");
  assert.deepEqual(
    turn.items.map((item) => [item.type, item.aggregated_output ?? item.text]),
    [
      ["command_execution", "hello\n"],
      ["agent_message", "It said hello."],
    ],
  );
  assert.equal(turn.usage.input_tokens, 200);
  assert.equal(server.requests[0].headers.authorization, "Bearer interop-key");
  assert.match(server.requests[1].text, /Process exited with code 0/);
  await server[Symbol.asyncDispose]();
}

async function sdkRunStreamed(Codex) {
  const { server, codex, options } = await open(Codex, withCommand);
  const thread = codex.startThread(options);
  const { events } = await thread.runStreamed("say hello");
  const types = [];
  for await (const event of events) types.push(event.type);
  assert.deepEqual(types, [
    "thread.started",
    "turn.started",
    "item.started",
    "item.completed",
    "item.completed",
    "turn.completed",
  ]);
  assert.match(thread.id, /^[0-9a-f-]{36}$/);
  await server[Symbol.asyncDispose]();
}

async function sdkSecondTurn(Codex) {
  const { server, codex, options } = await open(Codex, [
    [{ message: "One." }],
    [{ message: "Two." }],
  ]);
  const thread = codex.startThread(options);
  await thread.run("first");
  const first = thread.id;
  assert.equal((await thread.run("second")).finalResponse, "Two.");
  assert.equal(thread.id, first);
  assert.match(server.requests[1].text, /One\./);
  await server[Symbol.asyncDispose]();
}

async function sdkOptions(Codex) {
  const { server, codex, options } = await open(Codex, [[{ message: '{"answer": 1}' }]]);
  const thread = codex.startThread({
    ...options,
    model: "gpt-5.5",
    modelReasoningEffort: "high",
    networkAccessEnabled: true,
    webSearchMode: "disabled",
    approvalPolicy: "never",
    additionalDirectories: [folder],
    threadSource: "interop",
  });
  const outputSchema = { type: "object", properties: { answer: { type: "number" } } };
  await thread.run("answer", { outputSchema, cyberAccessProgram: "none" });
  const { body } = server.requests[0];
  assert.deepEqual(body.text.format, {
    type: "json_schema",
    strict: true,
    name: "codex_output_schema",
    schema: outputSchema,
  });
  assert.equal(body.reasoning.effort, "high");
  await server[Symbol.asyncDispose]();
}

async function sdkFailedTurn(Codex) {
  const { server, codex, options } = await open(Codex, [
    [{ status: 400, body: { error: { message: "no" } } }],
  ]);
  await assert.rejects(codex.startThread(options).run("fail"), /no/);
  await server[Symbol.asyncDispose]();
}
