// This build's client, as a library, on the exec-server of the original: over a websocket and over standard streams of a
// program. Each check gets an environment whose server has been asked for the present form of the protocol.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  connectCommand,
  connectWebSocket,
  createExecServerEnvironment,
} from "../../packages/exec-server/dist/index.js";
import { startCuttingProxy } from "../../packages/test-support/dist/index.js";
import { Skip } from "./bench.mjs";

const fullAccess = { mode: "danger-full-access" };
const readOnly = { mode: "read-only", networkAccess: false };

/** Each gets what {@link openClient} gives. */
export const clientChecks = {
  "a command's output, code and variables": async ({ run }) => {
    assert.deepEqual(await run("echo $WORD; exit 3", { overlay: { WORD: "far" } }), {
      text: "far\n",
      exit: { code: 3 },
    });
  },
  "input of a pipe is written": async ({ start }) => {
    const process = await start("read -r line; echo got:$line", { stdin: "open" });
    await process.write(Buffer.from("hello\n"));
    assert.equal(await textOf(process.output), "got:hello\n");
  },
  "SIGINT ends a command, another signal is refused": async ({ start }) => {
    const process = await start("echo up; exec sleep 60");
    await process.output[Symbol.asyncIterator]().next();
    await assert.rejects(process.signal("SIGHUP"), { kind: "unsupported" });
    await process.signal("SIGINT");
    assert.notEqual((await process.exit).code, 0);
  },
  "files are written, read by range, listed, walked and removed": async ({ files, at }) => {
    await files.createDirectory(at("a/b"));
    await files.writeFile(at("a/b/file"), Buffer.from("0123456789"));
    const part = await files.readRange(at("a/b/file"), { offset: 3, length: 4 });
    assert.equal(Buffer.from(part).toString(), "3456");
    const { entries } = await files.walk(at("."), { maxDepth: 3, maxEntries: 10 });
    assert.deepEqual(
      entries.map(({ relativePath }) => relativePath),
      ["a", "a/b", "a/b/file"],
    );
    assert.equal((await files.getMetadata(at("a/b/file"))).size, 10);
    await files.remove(at("a"));
    await assert.rejects(files.readFile(at("a/b/file")), { kind: "notFound" });
  },
  "a root that is a link is walked": async ({ files, at }) => {
    await files.createDirectory(at("real"));
    await files.writeFile(at("real/file"), Buffer.from(""));
    symlinkSync(at("real"), at("link"));
    const { entries } = await files.walk(at("link"), { maxDepth: 1, maxEntries: 10 });
    assert.deepEqual(
      entries.map(({ relativePath }) => relativePath),
      ["file"],
    );
  },
  "what is not offered is refused": async ({ files, at }) => {
    writeFileSync(at("file"), "");
    await assert.rejects(files.rename(at("file"), at("other")), { kind: "unsupported" });
    const atomic = files.writeFile(at("file"), Buffer.from("x"), { atomic: true });
    await assert.rejects(atomic, { kind: "unsupported" });
  },
  "read-only is enforced for commands and files": async ({ run, files, at }) => {
    const { text } = await run(`touch ${at("no")} || echo kept`, { sandbox: readOnly });
    assert.match(text, /kept/);
    await assert.rejects(files.writeFile(at("no"), Buffer.from("x"), { sandbox: readOnly }));
    await assert.rejects(files.readFile(at("no")), { kind: "notFound" });
  },
  "a cut loses nothing": async ({ start, proxy }) => {
    if (proxy === undefined) throw new Skip("a program's standard streams are not cut");
    const process = await start("seq 1 20000; read -r line; seq 20001 40000", {
      stdin: "open",
    });
    const pieces = process.output[Symbol.asyncIterator]();
    const first = await pieces.next();
    proxy.cut();
    await process.write(Buffer.from("go\n"));
    const rest = await textOf({ [Symbol.asyncIterator]: () => pieces });
    const numbers = Array.from({ length: 40_000 }, (_, index) => `${index + 1}\n`).join("");
    assert.equal(Buffer.from(first.value.bytes).toString() + rest === numbers, true);
  },
};

/** An environment on the server that `program`, a script, starts; `way` is `url` or `program`. */
export async function openClient(program, way) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "codex-interop-client-")));
  const link = way === "url" ? await openSocket(program) : await openProgram(program);
  const environment = createExecServerEnvironment(link.client, { name: "original", cwd: folder });
  const start = (script, { overlay = {}, stdin = "closed", sandbox = fullAccess } = {}) =>
    environment.start({
      argv: ["sh", "-c", script],
      cwd: folder,
      env: policy({ PATH: "/usr/bin:/bin", ...overlay }),
      tty: false,
      stdin,
      sandbox,
    });
  return {
    start,
    files: environment.fileSystem,
    at: (path) => (path === "." ? folder : join(folder, path)),
    proxy: link.proxy,
    async run(script, options) {
      const process = await start(script, options);
      return { text: await textOf(process.output), exit: await process.exit };
    },
    async close() {
      await environment[Symbol.asyncDispose]();
      await link.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openProgram(program) {
  const command = [process.execPath, program, "exec-server", "--listen", "stdio"];
  const client = await connectCommand(command, { variables: process.env });
  return { client, close: async () => {} };
}

async function openSocket(program) {
  const args = [program, "exec-server", "--listen", "ws://127.0.0.1:0"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const exited = once(child, "exit");
  const [url] = await once(createInterface(child.stdout), "line");
  const proxy = await startCuttingProxy(url);
  return {
    client: await connectWebSocket({ websocketUrl: proxy.url }),
    proxy,
    async close() {
      await proxy[Symbol.asyncDispose]();
      child.kill();
      await exited;
    },
  };
}

function policy(overlay) {
  return {
    inherit: "none",
    ignoreDefaultExcludes: true,
    exclude: [],
    set: {},
    includeOnly: [],
    overlay,
  };
}

async function textOf(output) {
  const pieces = [];
  for await (const { bytes } of output) pieces.push(bytes);
  return Buffer.concat(pieces).toString();
}
