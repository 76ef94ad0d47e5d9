// The original and this build, crossed: the CLI of one works on the exec-server of the other, over a websocket named in
// its environment and over standard streams of a program named in its configuration. Every command and file is the
// executor's, which has a variable that the CLI has not.
import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { cliPath, startModelServer } from "../../packages/test-support/dist/index.js";
import { Skip } from "./bench.mjs";

export const original = "@openai/codex@0.171.0";

/** The executor's own variables: one to know it by, and a home that the original does not take for a temporary one. */
function executorVariables(root) {
  const home = join(root, "executor");
  const temporary = join(root, "executor-tmp");
  for (const path of [join(home, ".codex"), temporary]) mkdirSync(path, { recursive: true });
  const codexHome = join(home, ".codex");
  return { EXECUTOR_MARK: "far", HOME: home, CODEX_HOME: codexHome, TMPDIR: temporary };
}
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** Each gets what {@link openCrossed} makes. */
export const crossedChecks = {
  "a command runs on the executor, with its AGENTS.md": async ({ run, files }) => {
    files("AGENTS.md", "answer in verse\n");
    const { requests, outputs } = await run([command("echo mark=$EXECUTOR_MARK; pwd")]);
    assert.match(requests[0], /answer in verse/);
    assert.match(outputs[0], /Process exited with code 0/);
    assert.match(outputs[0], /mark=far\n\/.*workspace/);
  },
  "a terminal is written to": async ({ run }) => {
    const { outputs } = await run(
      [
        command("read line; echo got:$line", { tty: true, yield_time_ms: 500 }),
        stdin("hello\\n", 2000),
      ],
      { capture: { session: "session ID (\\d+)" } },
    );
    assert.match(outputs[1], /got:hello/);
    assert.match(outputs[1], /Process exited with code 0/);
  },
  "patches make, change, move and delete files": async ({ run, files, read }) => {
    files("old.txt", "one\ntwo\n");
    files("gone.txt", "x\n");
    const { outputs } = await run([
      patch("*** Add File: deep/er/new.txt\n+new"),
      patch("*** Update File: old.txt\n*** Move to: moved.txt\n@@\n one\n-two\n+three"),
      patch("*** Delete File: gone.txt"),
    ]);
    for (const output of outputs) assert.match(output, /Success/);
    assert.deepEqual(["deep/er/new.txt", "moved.txt", "old.txt", "gone.txt"].map(read), [
      "new\n",
      "one\nthree\n",
      undefined,
      undefined,
    ]);
  },
  "an image is seen": async ({ run, files }) => {
    files("image.png", Buffer.from(png, "base64"));
    const { requests } = await run([call("view_image", { path: "image.png" })]);
    assert.ok(requests.at(-1).includes(`data:image/png;base64,${png}`));
  },
  "workspace-write is enforced by the executor": async ({ run, files, read }) => {
    files(".git/HEAD", "");
    const script = "touch ok; touch .git/x || echo kept; touch ../beside || echo inside";
    const config = ["exclude_slash_tmp", "exclude_tmpdir_env_var"].flatMap((name) => [
      "-c",
      `sandbox_workspace_write.${name}=true`,
    ]);
    const { outputs } = await run([command(script)], { sandbox: "workspace-write", config });
    assert.match(outputs[0], /kept\n.*\n?inside/);
    assert.deepEqual(["ok", ".git/x", "../beside"].map(read), ["", undefined, undefined]);
  },
  "read-only is enforced by the executor": async ({ run, read }) => {
    const { outputs } = await run([command("touch no || echo kept")], { sandbox: "read-only" });
    assert.match(outputs[0], /kept/);
    assert.equal(read("no"), undefined);
  },
  "a cut of the link loses nothing": async ({ run, place }) => {
    if (place !== "url") throw new Skip("a program's standard streams are not cut");
    const script = "for i in 1 2 3 4 5 6 7 8; do echo tick$i; sleep 0.2; done";
    const { outputs, cuts } = await run([command(script, { yield_time_ms: 8000 })], { cut: true });
    assert.equal(cuts, 1);
    const ticks = Array.from({ length: 8 }, (_, index) => `tick${index + 1}\n`).join("");
    assert.ok(outputs[0].includes(ticks), outputs[0]);
  },
};

/** Installs the original and gives the path of its program; throws a {@link Skip} where that is not possible. */
export function installOriginal(folder) {
  const root = join(folder, "original");
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "package.json"), '{"private": true}');
  try {
    const quiet = ["--silent", "--no-audit", "--no-fund"];
    execFileSync("npm", ["install", ...quiet, original], { cwd: root, stdio: "pipe" });
  } catch (error) {
    throw new Skip(`${original} cannot be installed: ${error.stderr}`);
  }
  return join(root, "node_modules", "@openai", "codex", "bin", "codex.js");
}

let opened = 0;

/** A workspace, a home and a way to run one task; `cli` and `executor` are scripts, `place` is `url` or `program`. */
export function openCrossed({ cli, executor, folder, place }) {
  const root = join(realpathSync(folder), `crossed-${++opened}`);
  const workspace = join(root, "workspace");
  const home = join(root, "home");
  for (const path of [workspace, home]) mkdirSync(path, { recursive: true });
  const at = (path) => join(workspace, path);
  return {
    place,
    files(path, content) {
      mkdirSync(join(at(path), ".."), { recursive: true });
      writeFileSync(at(path), content);
    },
    read: (path) => (existsSync(at(path)) ? readFileSync(at(path), "utf8") : undefined),
    run: (turns, options = {}) =>
      runTask({ cli, executor, place, workspace, home, turns, ...options }),
  };
}

async function runTask({ cli, executor, place, workspace, home, turns, ...options }) {
  const { capture = {}, sandbox, cut = false, config = [] } = options;
  const scenario = { turns: [...turns.map((turn) => [turn]), [{ message: "done" }]], capture };
  const model = await startModelServer(scenario, {});
  let link;
  try {
    link = await openLink(place, { cli, executor, home, cut });
    writeFileSync(join(home, "config.toml"), configFor(model.baseUrl));
    const args = ["exec", "-m", "gpt-5.5", "--skip-git-repo-check"];
    const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: home, KEY: "k", ...link.env };
    await runProgram(
      cli,
      [...args, ...link.args, ...config, "-s", sandbox ?? "danger-full-access", "go"],
      {
        cwd: workspace,
        env,
        timeout: 90_000,
      },
    );
  } finally {
    await link?.close();
    await model[Symbol.asyncDispose]();
  }
  const requests = model.requests.map(({ body }) => JSON.stringify(body));
  const outputs = model.requests
    .at(-1)
    .body.input.filter(({ type }) => type.endsWith("call_output"))
    .map(({ output }) => (typeof output === "string" ? output : JSON.stringify(output)));
  return { requests, outputs, cuts: link.cuts() };
}

function runProgram(program, args, options) {
  return new Promise((resolve, reject) => {
    const done = (error, _stdout, stderr) =>
      error ? reject(new Error(`the run failed: ${error.message}\n${stderr}`)) : resolve();
    execFile(process.execPath, [program, ...args], options, done).stdin.end();
  });
}

const configFor = (baseUrl) => `model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "${baseUrl}"
wire_api = "responses"
env_key = "KEY"
requires_openai_auth = false
[features]
plugins = false
apps = false
[analytics]
enabled = false
`;

/** How the CLI finds the executor. A program is named in a file by the original, on the command line here. */
async function openLink(place, { cli, executor, home, cut }) {
  const variables = executorVariables(join(home, ".."));
  if (place === "url") return openSocket(executor, { variables, cut });
  const link = { env: {}, args: [], cuts: () => 0, close: async () => {} };
  const args = [executor, "exec-server", "--listen", "stdio"];
  if (cli === cliPath) {
    const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    const command = ["env", ...settings, process.execPath, ...args];
    const config = ["-c", `environments.far.command=${JSON.stringify(command)}`];
    return { ...link, args: [...config, "--environment", "far"] };
  }
  writeFileSync(
    join(home, "environments.toml"),
    `default = "far"
include_local = false
[[environments]]
id = "far"
program = "${process.execPath}"
args = ${JSON.stringify(args)}
env = { ${Object.entries(variables)
      .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
      .join(", ")} }
`,
  );
  return link;
}

/** An executor behind a link that is cut, once, soon after the first output. */
async function openSocket(executor, { variables, cut }) {
  const args = [executor, "exec-server", "--listen", "ws://127.0.0.1:0"];
  const env = { ...process.env, ...variables };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "ignore"] });
  const exited = once(child, "exit");
  const [url] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    exited.then(() => Promise.reject(new Error("the executor ended before it listened"))),
  ]);
  const sockets = new Set();
  let cuts = 0;
  const watch = (data) => {
    if (!cut || cuts > 0 || !data.includes("process/output")) return;
    cuts += 1;
    for (const socket of sockets) socket.destroy();
  };
  const proxy = createServer((near) => {
    const far = connect(Number(new URL(url).port), "127.0.0.1");
    far.on("data", watch);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      sockets.add(from);
      from.on("error", () => {});
      from.on("close", () => to.destroy());
      from.pipe(to);
    }
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    args: [],
    env: { CODEX_EXEC_SERVER_URL: `ws://127.0.0.1:${proxy.address().port}` },
    cuts: () => cuts,
    async close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      child.kill();
      await exited;
    },
  };
}

function call(name, args) {
  return { function_call: { name, call_id: `c-${name}`, arguments: args } };
}

function command(cmd, more = {}) {
  return call("exec_command", { cmd, yield_time_ms: 5000, ...more });
}

/** The session is the one that the last output named. */
function stdin(chars, yieldMs) {
  const args = `{"session_id": {{session}}, "chars": "${chars}", "yield_time_ms": ${yieldMs}}`;
  return call("write_stdin", args);
}

function patch(body) {
  const input = `*** Begin Patch\n${body}\n*** End Patch\n`;
  return { custom_tool_call: { name: "apply_patch", call_id: `c-${body.length}`, input } };
}
