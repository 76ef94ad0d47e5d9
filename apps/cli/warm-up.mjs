// The last step of the build: runs the bundles once, on a scripted model, and keeps what V8 compiled meanwhile.
import { writeFileSync } from "node:fs";
import { PassThrough, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { startModelServer, temporaryDirectory } from "@codex/test-support";
import { codeCachePath, loadBundle } from "./dist/main.js";

await warmUp("app", runOnce);
await warmUp("exec-server", serveOnce);
process.exit(0);

/** A build without a cache is a slower one, not a broken one. */
async function warmUp(name, run) {
  const file = fileURLToPath(new URL(`dist/${name}.cjs`, import.meta.url));
  try {
    const bundle = loadBundle(name);
    await run(bundle.exports);
    writeFileSync(codeCachePath(file), bundle.codeCache());
  } catch (error) {
    console.warn(`${name} is built without a code cache: ${error.stack}`);
  }
}

/** One run with a message, a command and an answer, for programs and for people. */
async function runOnce({ runCommandLine }) {
  const call = { function_call: { name: "exec_command", arguments: { cmd: "true" } } };
  const turns = [[{ message: "I look." }, call], [{ message: "Done." }]];
  const server = await startModelServer({ turns: [...turns, ...turns] });
  const folder = await temporaryDirectory();
  const provider = `model_providers.warm={name="warm", base_url="${server.baseUrl}"}`;
  const options = "exec --skip-git-repo-check -s danger-full-access -c model_provider=warm".split(
    " ",
  );
  try {
    for (const form of ["--json", "--color=always"]) {
      const args = [...options, "-c", provider, form, "go"];
      const code = await runCommandLine(args, contextIn(folder.path));
      if (code !== 0) throw new Error(`the run ended with ${code}`);
    }
  } finally {
    await server[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  }
}

function contextIn(folder) {
  const output = { isTerminal: false, columns: () => 80, write: () => {}, flushed: async () => {} };
  return {
    env: { PATH: process.env.PATH, HOME: folder },
    cwd: () => folder,
    stdin: { kind: "none", chunks: () => [] },
    stdout: output,
    stderr: output,
    now: () => Date.now(),
    onSignal: () => () => {},
    exit: () => {},
  };
}

/** One connection over standard streams that starts one process. */
async function serveOnce({ main }) {
  const stdin = new PassThrough();
  const send = (message) => stdin.write(`${JSON.stringify(message)}\n`);
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      if (String(chunk).includes("process/exited")) stdin.end();
      done();
    },
  });
  const env = { PATH: process.env.PATH };
  const host = { stdin, stdout, stderr: stdout, env, cwd: () => "/", on: () => {}, off: () => {} };
  const ended = main([], host);
  send({ id: 1, method: "initialize", params: { clientName: "warm-up" } });
  send({ method: "initialized" });
  const argv = ["/bin/sh", "-c", "echo warm"];
  const params = { processId: "1", argv, cwd: "/", env, tty: false, arg0: null };
  send({ id: 2, method: "process/start", params });
  await ended;
}
