import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { promisify } from "node:util";
import {
  defaultTerminalSize,
  type Environment,
  exactEnvironment,
  type SpawnOptions,
} from "@codex/environment";
import {
  connectWebSocket,
  createExecServerEnvironment,
  spawnLocalExecServer,
} from "@codex/exec-server";
import { fullAccess, toAbsolutePath } from "@codex/protocol";
import { copySingleFile, type LoneServer } from "@codex/test-support";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startExecutor } from "./executor.ts";

const cwd = toAbsolutePath("/");
const terminalPackage = `@lydell/node-pty-${process.platform}-${process.arch}`;

let alone: LoneServer;

beforeAll(async () => {
  alone = await copySingleFile({ terminals: false });
});
afterAll(() => alone[Symbol.asyncDispose]());

test("alone in its folder it serves over its standard streams; only terminals are refused, with what to install", async () => {
  await using far = await overStreams(alone.path);
  expect(await outputOf(far, { argv: ["sh", "-c", "echo $0 >/dev/stdout", "hi"] })).toBe("hi\n");
  await expect(outputOf(far, { argv: ["true"], tty: defaultTerminalSize })).rejects.toMatchObject({
    kind: "terminalUnavailable",
    message: expect.stringContaining(`install ${terminalPackage}@1.1.0`),
  });
});

test("alone in its folder it serves over websockets", async () => {
  await using server = await startExecutor({ program: alone.path });
  const client = await connectWebSocket({ websocketUrl: server.url });
  await using far = createExecServerEnvironment(client, { name: "alone", cwd });
  const path = toAbsolutePath(alone.path);
  expect(await far.fileSystem.getMetadata(path)).toMatchObject({ isFile: true });
  expect(await outputOf(far, { argv: ["echo", "hi"] })).toBe("hi\n");
});

test("with the terminals' binary beside it, terminals work too", async () => {
  await using lone = await copySingleFile({ terminals: true });
  await using far = await overStreams(lone.path);
  const argv = ["sh", "-c", "tty >/dev/null && echo a terminal"];
  expect(await outputOf(far, { argv, tty: defaultTerminalSize })).toBe("a terminal\r\n");
});

test("it can be marked executable and started by its name", async () => {
  const { stdout } = await promisify(execFile)("sh", [
    "-c",
    `chmod +x "$0" && exec "$0" --help`,
    alone.path,
  ]);
  expect(stdout).toMatch(/^Usage: codex-exec-server /);
  await access(alone.path, constants.X_OK);
});

async function overStreams(file: string): Promise<Environment> {
  const command = { program: process.execPath, args: [file] };
  // Not NODE_PATH, by which a test runner's own modules would be found.
  const variables = { PATH: process.env["PATH"] };
  const { client } = await spawnLocalExecServer(command, { variables });
  return createExecServerEnvironment(client, { name: "alone", cwd });
}

async function outputOf(
  far: Environment,
  options: Pick<SpawnOptions, "argv"> & Partial<SpawnOptions>,
): Promise<string> {
  await using running = await far.start({
    cwd,
    env: exactEnvironment({ PATH: process.env["PATH"] ?? "" }),
    tty: false,
    stdin: options.tty ? "open" : "closed",
    sandbox: fullAccess,
    ...options,
  });
  let output = "";
  for await (const { bytes } of running.output) output += Buffer.from(bytes).toString();
  expect(await running.exit).toEqual({ code: 0 });
  return output;
}
