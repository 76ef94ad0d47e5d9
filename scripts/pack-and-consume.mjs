// `pnpm consume`: packs every package, lints the tarballs, installs them into empty projects outside the workspace (npm
// and pnpm), type-checks a strict consumer with two compilers and runs it. Ends with `N passed, N failed, N skipped`.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { privateTypes } from "./private-types.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const libraries = "protocol sandbox pty environment jsonrpc exec-server core".split(" ");
const folders = [...libraries.map((name) => `packages/${name}`), "apps/cli"];
const compilers = { "typescript-5": "npm:typescript@5.9", "typescript-7": "npm:typescript@7.0" };
const nodeTypes = "20.19.43";
const expected = `pty: hello
jsonrpc: hello me, 0 pending
exec-server: from there, exit 0
core: completed it is noon 4 events
sandbox: function
`;

const folder = mkdtempSync(join(tmpdir(), "codex-consume-"));
const count = { passed: 0, failed: 0, skipped: 0 };
try {
  const tarballs = new Map();
  for (const path of folders) {
    await check(`${path} is packed, with what its manifest promises`, () => pack(path, tarballs));
  }
  for (const [name, tarball] of tarballs) {
    await check(`publint finds nothing to say about ${name}`, () => lint(tarball));
  }
  for (const manager of ["npm", "pnpm"]) await consume(manager, tarballs);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exitCode = count.failed === 0 ? 0 : 1;

async function pack(path, tarballs) {
  const out = await run("pnpm", ["pack", "--json", "--pack-destination", folder], join(root, path));
  const { name, filename, files } = JSON.parse(out);
  tarballs.set(name, filename);
  const names = files.map((file) => file.path);
  for (const needed of ["package.json", "LICENSE", "README.md"]) {
    assert.ok(names.includes(needed), `${needed} is missing`);
  }
  const extra = names.filter((file) => /(^|\/)(test|testing|node_modules)\//.test(file));
  assert.deepEqual(extra, []);
}

async function lint(tarball) {
  const bytes = readFileSync(tarball);
  const pack = { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) };
  const { messages, pkg } = await publint({ pack, strict: true });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg)),
    [],
  );
}

async function consume(manager, tarballs) {
  const project = join(folder, manager);
  cpSync(join(root, "scripts/consumer"), project, { recursive: true });
  cpSync(join(root, "examples"), join(project, "src/examples"), {
    recursive: true,
    filter: (path) => !/\.(jsonl|yml)$/.test(path),
  });
  const isInstalled = await check(`${manager} installs the tarballs`, () =>
    install(manager, project, tarballs),
  );
  if (!isInstalled) return;
  for (const compiler of Object.keys(compilers)) {
    const bin = join(project, "node_modules", compiler, "bin/tsc");
    await check(`${manager}, ${compiler}: the consumer's code is well typed`, () =>
      run(process.execPath, [bin, "-p", "."], project),
    );
  }
  await check(`${manager}: the consumer's program runs and ends by itself`, async () => {
    assert.equal(await run(process.execPath, ["dist/main.js"], project), expected);
  });
  await check(`${manager}: exec-server has the seed's names (A3, A4)`, async () => {
    const out = await run(process.execPath, ["dist/exec-server-names.js"], project);
    assert.equal(out, "names: all there\n");
  });
  await check(`${manager}: an example runs`, async () => {
    const out = await run(process.execPath, ["dist/examples/own-tool.js"], project);
    assert.equal(out, "It costs 3 cents.\n");
  });
  for (const bin of ["codex", "codex-exec-server"]) {
    await check(`${manager}: ${bin} is there and explains itself`, async () => {
      const out = await run(join(project, "node_modules/.bin", bin), ["--help"], project);
      assert.match(out, /Usage:/);
    });
  }
  await check(`${manager}: the installed codex starts its own exec-server`, () =>
    spawnLocal(project),
  );
  for (const name of libraries) {
    await check(`${manager}: @codex/${name} does no work at import`, () =>
      importOnly(name, project),
    );
  }
  if (manager !== "npm") return;
  for (const name of libraries) {
    await check(`every type in @codex/${name}'s public surface can be imported`, async () => {
      const require = createRequire(join(project, "package.json"));
      assert.deepEqual(
        privateTypes(require("typescript-5"), join(project, "node_modules/@codex", name)),
        [],
      );
    });
  }
}

async function install(manager, project, tarballs) {
  const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  const own = Object.fromEntries([...tarballs].map(([name, file]) => [name, `file:${file}`]));
  manifest.dependencies = { ...own, zod: "^4.0.0" };
  manifest.devDependencies = { ...compilers, "@types/node": nodeTypes };
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest, null, 2));
  const options = ["--ignore-scripts"];
  if (manager === "npm")
    return run("npm", ["install", "--no-audit", "--no-fund", ...options], project);
  // The packages name each other by version; here the tarballs are those versions.
  const overrides = Object.entries(own).map(([name, file]) => `  "${name}": "${file}"\n`);
  writeFileSync(join(project, "pnpm-workspace.yaml"), `overrides:\n${overrides.join("")}`);
  return run("pnpm", ["install", ...options], project);
}

/** The command runs on a server that the CLI starts from its own package; the item of it names the environment. */
async function spawnLocal(project) {
  const calls = [
    { function_call: { name: "exec_command", arguments: { cmd: "echo $PPID" } } },
    { message: "Done." },
  ];
  const lines = calls.map((event) => JSON.stringify({ v: 1, events: [event] }));
  writeFileSync(join(project, "spawn.replay.jsonl"), lines.join("\n"));
  const keys = ["use_exec_server", "spawn_local_exec_server"];
  const settings = keys.flatMap((key) => ["-c", `experimental_unified_exec_${key}=true`]);
  const flags = ["--json", "--skip-git-repo-check", "-s", "danger-full-access", "--replay"];
  const args = ["exec", ...flags, "spawn.replay.jsonl", ...settings, "go"];
  const out = await run(join(project, "node_modules/.bin/codex"), args, project);
  const events = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const { item } = events.find(
    ({ type, item }) => type === "item.completed" && item.exit_code === 0,
  );
  assert.equal(typeof item.environment, "string");
}

/** An import may define; it must not listen, start, schedule or announce anything. */
async function importOnly(name, project) {
  const script = `
    const globals = () => Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith("__zod_"));
    const before = { globals: globals(), events: process.eventNames() };
    await import("@codex/${name}");
    await new Promise((resolve) => setImmediate(resolve)); // the module loader's own files
    const streams = /^(TTY|Pipe)/;
    console.log(JSON.stringify({
      resources: process.getActiveResourcesInfo().filter((kind) => !streams.test(kind)),
      globals: globals().filter((name) => !before.globals.includes(name)),
      events: process.eventNames().filter((event) => !before.events.includes(event)),
    }));`;
  const out = await run(process.execPath, ["--input-type=module", "-e", script], project);
  assert.equal(out, '{"resources":[],"globals":[],"events":[]}\n');
}

async function run(program, args, cwd) {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const env = {
    ...process.env,
    HOME: home,
    CODEX_HOME: home,
    npm_config_cache: join(folder, "npm-cache"),
  };
  try {
    const options = { cwd, env, timeout: 120_000, maxBuffer: 64 * 1024 * 1024 };
    const { stdout, stderr } = await promisify(execFile)(program, args, options);
    if (program === process.execPath && stderr !== "") throw new Error(`on stderr: ${stderr}`);
    return stdout;
  } catch (error) {
    throw new Error(`${program} ${args[0]}: ${error.message}\n${error.stdout ?? ""}`, {
      cause: error,
    });
  }
}

async function check(name, test) {
  try {
    await test();
    count.passed += 1;
    console.log(`ok      ${name}`);
    return true;
  } catch (error) {
    count.failed += 1;
    console.log(`FAILED  ${name}\n${error.message}`);
    return false;
  }
}
