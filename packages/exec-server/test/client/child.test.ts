import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { connectCommand, type ExecServerClient, spawnLocalExecServer } from "@codex/exec-server";
import { temporaryDirectory, within } from "@codex/test-support";
import { describe, expect, test } from "vitest";
import { serverProgram } from "./connections.ts";
import { rejectionOf } from "./fake-server.ts";

const variables = process.env;
const node = process.execPath;

describe("spawnLocalExecServer", () => {
  test("O5, O20: a program that cannot be started is an error of its own", async () => {
    const spawned = spawnLocalExecServer({ program: "no-such-server", args: [] }, { variables });
    expect(await rejectionOf(spawned)).toMatchObject({
      name: "ExecServerError",
      kind: "spawn",
      message: "failed to spawn exec-server: No such file or directory (os error 2)",
    });
  });

  test("O20: a silent program times out and is killed", async () => {
    await using folder = await temporaryDirectory();
    const pidFile = `${folder.path}/pid`;
    const command = { program: "sh", args: ["-c", `echo $$ > ${pidFile}; exec sleep 60`] };
    const spawned = spawnLocalExecServer(command, { variables, initializeTimeoutMs: 300 });
    expect(await rejectionOf(spawned)).toMatchObject({
      kind: "initializeTimeout",
      message: "timed out waiting for exec-server initialize handshake after 300ms (it is running)",
    });
    const pid = Number(spawnSync("cat", [pidFile]).stdout.toString());
    expect(isAlive(pid)).toBe(false);
  });

  test("O20: its standard error is passed on, and disposing ends it", async () => {
    let stderr = "";
    const spawned = await spawnLocalExecServer(
      { program: "sh", args: ["-c", `echo my pid is $$ >&2; exec "${node}" "${serverProgram}"`] },
      { variables, onStderr: (bytes) => (stderr += Buffer.from(bytes).toString()) },
    );
    const pid = Number(/my pid is (\d+)/.exec(stderr)?.[1]);
    expect(isAlive(pid)).toBe(true);
    await spawned[Symbol.asyncDispose]();
    expect(isAlive(pid)).toBe(false);
  });
});

describe("a server without pings", () => {
  const heartbeatMs = 300;

  test("that is frozen while a command runs is lost after three unanswered signs of life", async () => {
    await using server = await spawnLocalExecServer(
      { program: node, args: [serverProgram] },
      { variables, heartbeatMs },
    );
    const pid = await startAndRead(server.client, ["sh", "-c", "echo $PPID; sleep 60"]);
    const reading = rejectionOf(
      server.client.read({ processId: "p", afterSeq: 1, waitMs: 60_000 }),
    );
    process.kill(pid, "SIGSTOP");
    const error = await within(reading, "the loss", 10 * heartbeatMs);
    expect(error).toMatchObject({
      kind: "closed",
      message: "exec-server transport closed",
      cause: { message: "nothing was heard from the server for 0.9 s" },
    });
  });

  test("that only has nothing to say is not", async () => {
    await using server = await spawnLocalExecServer(
      { program: node, args: [serverProgram] },
      { variables, heartbeatMs },
    );
    const { client } = server;
    const env = { PATH: "/usr/bin:/bin" };
    await client.exec({ processId: "p", argv: ["sleep", "1.2"], cwd: "/", env, tty: false });
    expect(await client.read({ processId: "p", waitMs: 10_000 })).toMatchObject({ exitCode: 0 });
  });
});

describe("connectCommand", () => {
  const options = { variables, clientName: "test" };

  test("a greeting before the first message is skipped", async () => {
    const script = `printf 'Welcome to far\\n\\nLast login: {never}\\n'; exec "$0" "$1"`;
    await using client = await connectCommand(["sh", "-c", script, node, serverProgram], options);
    expect(await client.fsGetMetadata({ path: "/" })).toMatchObject({ isDirectory: true });
  });

  test("what is no server is quoted: its first bytes, the end of its standard error, its exit code", async () => {
    const argv = [
      "sh",
      "-c",
      "echo 'Permission denied, please try again.'; echo 'no key' >&2; exit 255",
    ];
    expect(await rejectionOf(connectCommand(argv, options))).toMatchObject({
      kind: "protocol",
      message:
        "exec-server protocol error: malformed message: ended without a message " +
        '(it exited with code 255; stdout began with "Permission denied, please try again."; ' +
        'stderr ended with "no key")',
    });
  });

  test("a command that says nothing at all is told by its exit and its standard error", async () => {
    const argv = ["sh", "-c", "echo 'ssh: Could not resolve hostname far' >&2; exit 255"];
    expect(await rejectionOf(connectCommand(argv, options))).toMatchObject({
      kind: "closed",
      message:
        "exec-server transport closed (it exited with code 255; " +
        'stderr ended with "ssh: Could not resolve hostname far")',
    });
  });

  test("a greeting that does not end is given up at its bound", async () => {
    const argv = ["sh", "-c", "exec yes hello"];
    const connecting = connectCommand(argv, { ...options, bannerBytes: 1_000 });
    expect(await within(rejectionOf(connecting), "the end of the greeting")).toMatchObject({
      kind: "protocol",
      message: expect.stringMatching(
        /malformed message: not JSON .*stdout began with "hello\\nhello/,
      ),
    });
  });

  test("an abort gives it up and ends the command", async () => {
    const controller = new AbortController();
    const connecting = connectCommand(["sleep", "60"], { ...options, signal: controller.signal });
    const reason = new Error("never mind");
    setTimeout(() => controller.abort(reason), 50);
    expect(await rejectionOf(connecting)).toBe(reason);
  });

  test("a server that is killed loses everything at once, and its commands end with it", async () => {
    await using folder = await temporaryDirectory();
    const marker = `${folder.path}/marker`;
    await using client = await connectCommand([node, serverProgram], options);
    const script = `echo $PPID; read go < ${folder.path}/fifo; touch ${marker}`;
    spawnSync("mkfifo", [`${folder.path}/fifo`]);
    const pid = await startAndRead(client, ["sh", "-c", script]);
    const pending = [
      client.read({ processId: "p", afterSeq: 1, waitMs: 60_000 }),
      client.fsReadFile({ path: `${folder.path}/fifo` }),
    ].map(rejectionOf);
    process.kill(pid, "SIGKILL");
    const [reason, ...others] = await within(Promise.all(pending), "the loss");
    expect(reason).toMatchObject({ kind: "closed", message: "exec-server transport closed" });
    for (const other of others) expect(other).toBe(reason);
    // Nobody is left to open the other end of the pipe.
    const { status } = spawnSync("timeout", ["0.2", "sh", "-c", `echo go > ${folder.path}/fifo`]);
    expect({ status, isMarked: existsSync(marker) }).toEqual({ status: 124, isMarked: false });
  });
});

/** Starts process `p` and gives the number on its first line: the server is its parent. */
async function startAndRead(client: ExecServerClient, argv: string[]): Promise<number> {
  const env = { PATH: "/usr/bin:/bin" };
  await client.exec({ processId: "p", argv, cwd: "/", env, tty: false });
  const { chunks } = await client.read({ processId: "p", waitMs: 10_000 });
  return Number(Buffer.from(chunks[0]?.chunk ?? "", "base64").toString());
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
