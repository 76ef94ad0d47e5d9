// The exec-server's part of `pnpm soak`: the built single file over both transports, driven with what is too long for
// the tests. Watches that nothing is lost, that memory stays flat and that no descriptor or process stays behind.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { exactEnvironment } from "../packages/environment/dist/index.js";
import {
  connectStdio,
  connectWebSocket,
  createExecServerEnvironment,
} from "../packages/exec-server/dist/index.js";
import { singleFilePath, temporaryDirectory } from "../packages/test-support/dist/index.js";

const mebibyte = 1024 * 1024;
const gigabyte = 1_000_000_000;
const env = exactEnvironment({ PATH: process.env.PATH });
const sandbox = { mode: "danger-full-access" };

const scenarios = {
  "messages of 64 MiB": largeMessages,
  "1 GB of output": muchOutput,
  "a reader that stops": stoppedReader,
  "2,000 processes": manyProcesses,
  "200 at once, ended together": endedTogether,
};

/** Every scenario over every transport once; throws at the first that does not hold. Gives their number. */
export async function soakExecServer() {
  let count = 0;
  for (const open of [overStdio, overWebSocket])
    for (const [name, run] of Object.entries(scenarios)) {
      const side = await open();
      try {
        await run(side);
        count += 1;
      } catch (error) {
        throw new Error(`${name}, ${open.name}`, { cause: error });
      } finally {
        await side.far[Symbol.asyncDispose]();
        await ended(side.child);
      }
    }
  return count;
}

/** As large as the limit allows as base64, both ways, ten times: what comes back is what was sent. */
async function largeMessages({ far, child }) {
  const folder = await temporaryDirectory();
  const path = join(folder.path, "large");
  const bytes = Buffer.alloc(47 * mebibyte);
  for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
  for (let round = 0; round < 10; round += 1) {
    await far.fileSystem.writeFile(path, bytes);
    assert.equal(digestOf(await far.fileSystem.readFile(path)), digestOf(bytes));
  }
  await folder[Symbol.asyncDispose]();
  // A message as text, parsed and decoded, is there three times for a moment.
  assertBelow(residentMegabytes(child), 700);
}

async function muchOutput({ far, child }) {
  const idle = residentMegabytes(child);
  const process = await start(far, ["head", "-c", String(gigabyte), "/dev/zero"]);
  let count = 0;
  for await (const { bytes } of process.output) count += bytes.length;
  assert.equal(count, gigabyte);
  assert.deepEqual(await process.exit, { code: 0 });
  assertBelow(residentMegabytes(child) - idle, 64);
}

/** Numbered lines to a client that pauses: the program waits, no line is lost, the server stays small. */
async function stoppedReader({ far, child }) {
  const idle = residentMegabytes(child);
  const process = await start(far, ["seq", "10000000"]);
  const digest = createHash("sha256");
  let count = 0;
  for await (const { bytes } of process.output) {
    digest.update(bytes);
    count += 1;
    if (count % 200 === 0) await delay(200);
    if (count === 100) {
      await delay(3_000);
      assertBelow(residentMegabytes(child) - idle, 32);
    }
  }
  assert.equal(digest.digest("hex"), await digestOfLines(10_000_000));
}

async function manyProcesses({ far, child }) {
  const run = async (tty) => {
    const process = await start(far, ["sh", "-c", "echo $$"], tty);
    let output = "";
    for await (const { bytes } of process.output) output += Buffer.from(bytes).toString();
    assert.match(output, /^\d+\r?\n$/);
    assert.deepEqual(await process.exit, { code: 0 });
  };
  await Promise.all([run(false), run({ rows: 24, columns: 80 })]);
  const descriptors = descriptorsOf(child);
  const resident = residentMegabytes(child);
  for (let left = 2_000; left > 0; left -= 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => run(index % 2 ? false : { rows: 24, columns: 80 })),
    );
  // Pipes are made ahead, 128 at most of two ends each.
  assertBelow(descriptorsOf(child) - descriptors, 300);
  assertBelow(residentMegabytes(child) - resident, 64);
}

async function endedTogether({ far, child }) {
  for (let round = 0; round < 5; round += 1) {
    const processes = await Promise.all(
      Array.from({ length: 200 }, () => start(far, ["sh", "-c", "set -m; sleep 600 & wait"])),
    );
    await Promise.all(processes.map((process) => process[Symbol.asyncDispose]()));
  }
  const left = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
  assert.equal(left.split(" ").filter(Boolean).length, 1, "only the guard is left");
}

function start(far, argv, tty = false) {
  return far.start({ argv, cwd: "/", env, tty, stdin: tty ? "open" : "closed", sandbox });
}

async function overStdio() {
  const child = spawn(process.execPath, [singleFilePath], { stdio: ["pipe", "pipe", "inherit"] });
  return sideOf(child, await connectStdio(child));
}

async function overWebSocket() {
  const listen = ["--listen", "ws://127.0.0.1:0"];
  const child = spawn(process.execPath, [singleFilePath, ...listen], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [websocketUrl] = await once(createInterface(child.stdout), "line");
  return sideOf(child, await connectWebSocket({ websocketUrl }));
}

function sideOf(child, client) {
  return { child, far: createExecServerEnvironment(client, { name: "far", cwd: "/" }) };
}

async function ended(child) {
  const exited = child.exitCode === null && child.signalCode === null ? once(child, "exit") : [];
  child.kill();
  await exited;
}

function residentMegabytes({ pid }) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
}

function descriptorsOf({ pid }) {
  return readdirSync(`/proc/${pid}/fd`).length;
}

function assertBelow(value, bound) {
  assert.ok(value < bound, `${value.toFixed(1)} is not below ${bound}`);
}

function digestOf(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

async function digestOfLines(count) {
  const child = spawn("seq", [String(count)], { stdio: ["ignore", "pipe", "inherit"] });
  const digest = createHash("sha256");
  for await (const bytes of child.stdout) digest.update(bytes);
  return digest.digest("hex");
}
