// `pnpm interop`: the official TypeScript SDK, unmodified, drives this build: on this machine and on a websocket
// executor; and the original's CLI works on this build's exec-server and the other way round. Both are installed from npm into a
// temporary folder outside the workspace. Prints tables of checks; the last line is `N passed, N failed, N skipped`.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cliPath } from "../packages/test-support/dist/index.js";
import { openBench, Skip, startExecutor } from "./interop/bench.mjs";
import {
  crossedChecks,
  installOriginal,
  openCrossed,
  original,
} from "./interop/crossed-checks.mjs";
import { clientChecks, openClient } from "./interop/our-client-on-real-server.mjs";
import { sdkChecks } from "./interop/sdk-checks.mjs";

const sdk = "@openai/codex-sdk";
const folder = mkdtempSync(join(tmpdir(), "codex-interop-"));
const executor = await startExecutor();
const places = [
  { name: "here", config: {} },
  { name: "executor", config: executor.config },
];
const count = { passed: 0, failed: 0, skipped: 0 };
const remarks = [];

try {
  const { Codex, version } = await install(`${sdk}@latest`);
  console.log(`${sdk} ${version}\n`);
  console.log(
    row(
      "check",
      places.map(({ name }) => name),
    ),
  );
  for (const [name, check] of Object.entries(sdkChecks)) {
    const results = [];
    for (const place of places) results.push(await run(name, check, { ...place, Codex, folder }));
    console.log(row(name, results));
  }
  await checkCrossed();
} finally {
  await executor.close();
  rmSync(folder, { recursive: true, force: true });
}
for (const remark of remarks) console.log(`\n${remark}`);
console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed === 0 ? 0 : 1);

async function install(specifier) {
  writeFileSync(join(folder, "package.json"), '{"private": true}');
  const quiet = ["--silent", "--no-audit", "--no-fund", "--omit=optional"];
  execFileSync("npm", ["install", ...quiet, specifier], { cwd: folder, stdio: "inherit" });
  const installed = join(folder, "node_modules", sdk);
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const { Codex } = await import(pathToFileURL(join(installed, manifest.exports["."].import)).href);
  return { Codex, version: manifest.version };
}

/** The CLI of one on the exec-server of the other, over a websocket and as a program. */
async function checkCrossed() {
  let theirs;
  try {
    theirs = installOriginal(folder);
  } catch (error) {
    if (!(error instanceof Skip)) throw error;
    count.skipped += 1;
    remarks.push(error.message);
    return;
  }
  await cross(`${original} on our exec-server`, { cli: theirs, executor: cliPath });
  await cross(`our CLI on the exec-server of ${original}`, { cli: cliPath, executor: theirs });
  await checkClient(theirs);
}

/** The client alone, as a library. */
async function checkClient(theirs) {
  const ways = ["url", "program"];
  const title = `our client on the exec-server of ${original}`;
  console.log(`\n${row(title, ways)}`);
  for (const [name, check] of Object.entries(clientChecks)) {
    const results = [];
    for (const way of ways) {
      const judged = async () => {
        const opened = await openClient(theirs, way);
        try {
          await check(opened);
        } finally {
          await opened.close();
        }
      };
      results.push(await judge(`${title}: ${name} (${way})`, judged));
    }
    console.log(row(name, results));
  }
}

async function cross(title, pair) {
  const ways = ["url", "program"];
  console.log(`\n${row(title, ways)}`);
  for (const [name, check] of Object.entries(crossedChecks)) {
    const results = [];
    for (const place of ways) {
      const bench = openCrossed({ ...pair, folder, place });
      results.push(await judge(`${title}: ${name} (${place})`, () => check(bench)));
    }
    console.log(row(name, results));
  }
}

async function run(name, check, place) {
  const benches = [];
  const open = async (scenario, options) => {
    const bench = await openBench(place, scenario, options);
    benches.push(bench);
    return bench;
  };
  try {
    return await judge(`${name} (${place.name})`, () => check(open));
  } finally {
    for (const bench of benches) await bench.close();
  }
}

async function judge(name, check) {
  try {
    await check();
    count.passed += 1;
    return "ok";
  } catch (error) {
    const isSkipped = error instanceof Skip;
    count[isSkipped ? "skipped" : "failed"] += 1;
    remarks.push(`${name}: ${isSkipped ? error.message : error.stack}`);
    return isSkipped ? "skipped" : "FAILED";
  }
}

function row(name, cells) {
  return [name.padEnd(72), ...cells.map((cell) => cell.padEnd(9))].join(" ").trimEnd();
}
