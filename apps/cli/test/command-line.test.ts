import { cp, readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { runCli, temporaryDirectory } from "@codex/test-support";
import { type ExecSetup, execWith } from "./exec-with.ts";

test("--version and -V print the product and its version, nothing else", async () => {
  for (const flag of ["--version", "-V"]) {
    const { code, stdout, stderr } = await runCli({ args: [flag], cwd: "/" });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^codex-runtime \d+\.\d+\.\d+\n$/);
  }
});

test("--help shows the commands, exec --help every option with examples and exit codes", async () => {
  const root = await runCli({ args: ["--help"], cwd: "/" });
  expect(root.stdout).toMatch(/exec\|e \[options\] \[prompt\]/);
  const exec = await runCli({ args: ["exec", "--help"], cwd: "/" });
  expect(exec.code).toBe(0);
  expect(exec.stdout).toMatch(/Examples:\n {2}codex exec/);
  expect(exec.stdout).toMatch(/3 limit reached/);
});

test.each<[string, readonly string[], RegExp]>([
  ["an unknown option, with the nearest one", ["exec", "--jsno", "go"], /Did you mean --json/],
  ["a second positional argument", ["exec", "go", "there"], /too many arguments/],
  ["a bad choice", ["exec", "-s", "everything", "go"], /Allowed choices are read-only/],
  ["a number that is none", ["exec", "--max-turns", "x", "go"], /whole number above 0/],
  ["zero turns", ["exec", "--max-turns", "0", "go"], /whole number above 0/],
  ["a time that is none", ["exec", "--timeout", "soon", "go"], /such as 90, 500ms, 5m or 1h/],
  ["an option without its value", ["exec", "-m"], /argument missing/],
  ["an unknown command", ["fix it"], /unknown command/],
  ["no command", [], /Usage: codex/],
  [
    "two modes at once",
    ["exec", "--full-auto", "--yolo", "go"],
    /--full-auto cannot be used with --dangerously-bypass/,
  ],
])("%s is exit 2, told on stderr", async (_name, args, message) => {
  await using folder = await temporaryDirectory();
  const { code, stdout, stderr } = await runCli({ args, cwd: folder.path });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(message);
});

/** Speaks the first form of the protocol: every path is a directory, nothing else is offered. */
const v0Server = `
const fact = { isDirectory: true, isFile: true, createdAtMs: 0, modifiedAtMs: 0 };
const results = { initialize: { protocolVersion: "exec-server.v0" }, "fs/getMetadata": fact };
const refusal = { code: -32603, message: "refused" };
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const result = results[method];
  if (id !== undefined) console.log(JSON.stringify(result ? { id, result } : { id, error: refusal }));
});
`;

test.each<[string, ExecSetup, RegExp]>([
  [
    "no repository",
    { isRepository: false },
    /^Not inside a trusted directory and --skip-git-repo-check was not specified\.$/m,
  ],
  [
    "a working directory that is missing",
    { args: ["-C", "gone", "go"] },
    /Cannot work in .*\/gone: No such file or directory \(os error 2\)/,
  ],
  [
    "a working directory that is a file",
    { args: ["-C", "f", "go"], files: { f: "" } },
    /Cannot work in .*\/f: it is no directory/,
  ],
  ["a missing key", { env: { SCRIPTED_KEY: "" } }, /Missing environment variable: `SCRIPTED_KEY`/],
  [
    "no key and no provider",
    { config: "", args: ["-c", "model_provider=openai", "go"] },
    /OPENAI_API_KEY.*--oss.*pnpm demo/s,
  ],
  ["an override without =", { args: ["-c", "foo", "go"] }, /Invalid override \(missing '='\): foo/],
  [
    "a value of the wrong type",
    { config: "project_doc_max_bytes = true" },
    /config\.toml:3:\d+: .*\n.*\n3 \| project_doc_max_bytes = true\n +\| +\^/,
  ],
  ["broken TOML", { config: "model = " }, /config\.toml:3:\d+/],
  [
    "an unknown provider",
    { args: ["-c", "model_provider=nope", "go"] },
    /Model provider `nope` not found/,
  ],
  ["an unknown feature", { args: ["--enable", "nope", "go"] }, /Unknown feature flag: nope/],
  [
    "an unknown key under --strict-config",
    { config: "modle = 1", args: ["--strict-config", "go"] },
    /modle/,
  ],
  ["an unknown profile", { args: ["-p", "nope", "go"] }, /nope/],
  [
    "-o in a folder that is missing",
    { args: ["-o", "gone/answer", "go"] },
    /Cannot write the last message to gone\/answer: ENOENT/,
  ],
  ["-o onto a directory", { args: ["-o", ".", "go"] }, /it is a directory/],
  [
    "a missing output schema",
    { args: ["--output-schema", "s.json", "go"] },
    /Failed to read output schema file s\.json/,
  ],
  [
    "an output schema that is no JSON",
    { args: ["--output-schema", "s", "go"], files: { s: "{" } },
    /Output schema file s is not valid JSON/,
  ],
  ["no prompt", { args: [] }, /No prompt provided via stdin\./],
  [
    "a missing conversation file",
    { args: ["--replay", "r.jsonl", "go"] },
    /Failed to read the conversation file r\.jsonl/,
  ],
  [
    "a conversation file that is none",
    { args: ["--replay", "r", "go"], files: { r: "{}\n" } },
    /r:1/,
  ],
  [
    "the default sandbox where bubblewrap is not on PATH",
    { sandbox: undefined, env: { PATH: "/nowhere" } },
    /read-only, and the sandbox needs bubblewrap .*-s danger-full-access.*sandbox_mode = "danger-full-access"/,
  ],
  [
    "--full-auto where bubblewrap is not on PATH",
    { sandbox: undefined, args: ["--full-auto", "go"], env: { PATH: "/nowhere" } },
    /workspace-write, and the sandbox needs bubblewrap/,
  ],
  [
    "a sandbox on an executor that speaks v0, which cannot carry it",
    {
      sandbox: "workspace-write",
      config: `environment = "box"\n[environments.box]\ncommand = ${JSON.stringify([process.execPath, "-e", v0Server])}`,
    },
    /workspace-write on box, and exec-server\.v0 cannot carry .*workspace-write.* -s danger-full-access/s,
  ],
])(
  "%s is exit 2 before the first request, with stdout empty under --json",
  async (_name, setup, message) => {
    const args = ["--json", ...(setup.args ?? ["go"])];
    const { code, stdout, stderr, requests } = await execWith({ ...setup, args });
    expect({ code, stdout, requests }).toEqual({ code: 2, stdout: "", requests: [] });
    expect(stderr).toMatch(message);
  },
);

test("a current directory that was removed is exit 2", async () => {
  await using folder = await temporaryDirectory({ "gone/": "" });
  const { code, stderr } = await runCli({
    command: ["/bin/sh", "-c", 'rmdir "$PWD"; exec "$@"', "sh", process.execPath],
    args: [new URL("../bin/codex.js", import.meta.url).pathname, "exec", "go"],
    cwd: `${folder.path}/gone`,
    env: { HOME: folder.path },
  });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: "The current directory does not exist any more\n",
  });
});

test("options before exec count: lists are joined, the value nearer to the prompt wins", async () => {
  const { code, requests, events } = await execWith({
    globalArgs: ["-c", 'model="first"', "-c", "model_reasoning_effort=low", "-m", "far", "--json"],
    args: ["-m", "near", "-c", "model_reasoning_effort=high", "go"],
  });
  expect(code).toBe(0);
  expect(requests[0]?.body).toMatchObject({ model: "near", reasoning: { effort: "high" } });
  expect(events.at(-1)).toMatchObject({ type: "turn.completed", exit_code: 0 });
});

test("every option of the official SDK is accepted", async () => {
  const { code, requests } = await execWith({
    args: [
      "--experimental-json --thread-source sdk --cyber-access-program x --model gpt-5.5",
      "--sandbox danger-full-access --cd . --add-dir /tmp --skip-git-repo-check",
      '--output-schema schema.json --config approval_policy="never"',
      '--config web_search="disabled" --config sandbox_workspace_write.network_access=true',
    ].flatMap((line) => line.split(" ")),
    files: { "schema.json": '{"type": "object"}' },
    run: { stdin: { text: "from stdin" } },
  });
  expect(code).toBe(0);
  expect(requests[0]?.body?.["text"]).toMatchObject({
    format: { type: "json_schema", name: "codex_output_schema", schema: { type: "object" } },
  });
  expect(requests[0]?.text).toContain("from stdin");
});

test("--yolo waives the git check and the sandbox", async () => {
  const { code } = await execWith({
    isRepository: false,
    sandbox: undefined,
    args: ["--dangerously-bypass-approvals-and-sandbox", "go"],
  });
  expect(code).toBe(0);
});

test("a repository above the working directory is enough", async () => {
  const { code } = await execWith({ args: ["-C", "a/b", "go"], files: { "a/b/c": "" } });
  expect(code).toBe(0);
});

test("--ephemeral leaves no session behind, a plain run leaves one", async () => {
  const sessions = async (home: string): Promise<string[]> => {
    const names = await readdir(home, { recursive: true });
    return names.filter((name) => name.endsWith(".jsonl"));
  };
  await execWith({ args: ["--ephemeral", "go"] }, async ({ home }) => {
    expect(await sessions(home)).toEqual([]);
  });
  await execWith({}, async ({ home }) => {
    expect(await sessions(home)).toHaveLength(1);
  });
});

test("without a build the command says what to do", async () => {
  await using folder = await temporaryDirectory({ "package.json": '{"type":"module"}' });
  const bin = `${folder.path}/bin`;
  await cp(new URL("../bin/", import.meta.url), bin, { recursive: true });
  const command = [process.execPath, `${bin}/codex.js`];
  const { code, stdout, stderr } = await runCli({ command, args: ["exec", "go"], cwd: "/" });
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: "",
    stderr: "codex is not built yet: run `pnpm build`\n",
  });
});
