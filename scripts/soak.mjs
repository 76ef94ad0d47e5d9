// `pnpm soak [MINUTES]`: runs of the built CLI against a scripted model, then the exec-server under load, over and over,
// and watches for what only shows with time: a process left behind, a run that hangs, memory that grows.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import {
  runCli,
  startModelServer,
  temporaryDirectory,
} from "../packages/test-support/dist/index.js";
import { soakExecServer } from "./soak-exec-server.mjs";

const minutes = Number(process.argv[2] ?? 1);
const deadline = Date.now() + minutes * 60_000;
const marker = `soak-${process.pid}`;

const call = (cmd, more = {}) => ({
  function_call: { name: "exec_command", arguments: { cmd, ...more } },
});
const scenarios = {
  "a long thread": { turns: [{ repeat: 100, items: [call("seq 1 500")] }, [{ message: "Done." }]] },
  "much output": [[call("yes 0123456789 | head -c 20000000")], [{ message: "Done." }]],
  "many at once": [
    Array.from({ length: 32 }, () => call("sleep 0.1; echo x")),
    [{ message: "Done." }],
  ],
  "left running": [
    [call(`exec -a ${marker} sleep 600`, { yield_time_ms: 250 })],
    [{ message: "Done." }],
  ],
  terminals: {
    turns: [{ repeat: 20, items: [call("printf hi", { tty: true })] }, [{ message: "Done." }]],
  },
};

let runs = 0;
do {
  for (const [name, scenario] of Object.entries(scenarios)) {
    await soak(name, scenario);
    runs += 1;
  }
  runs += await soakExecServer();
} while (Date.now() < deadline);
console.log(`${runs} runs, nothing left behind`);

async function soak(name, scenario) {
  const server = await startModelServer(scenario);
  const folder = await temporaryDirectory();
  try {
    const config = `model_providers.soak={name="soak", base_url="${server.baseUrl}"}`;
    const options = "exec --json --skip-git-repo-check -s danger-full-access".split(" ");
    const { code, events, stderr } = await runCli({
      args: [...options, "-c", config, "-c", "model_provider=soak", name],
      cwd: folder.path,
      env: { CODEX_HOME: folder.path, HOME: folder.path },
      timeoutMs: 120_000,
    });
    assert.equal(code, 0, `${name}: ${stderr}`);
    assert.equal(events.at(-1).type, "turn.completed", name);
    assert.equal(survivors(), "", `${name} left a process behind`);
  } finally {
    await server[Symbol.asyncDispose]();
    rmSync(folder.path, { recursive: true, force: true });
  }
}

function survivors() {
  try {
    return execFileSync("pgrep", ["-f", `^${marker}`], { encoding: "utf8" });
  } catch {
    return "";
  }
}
