import type { Environment, SpawnOptions } from "@codex/environment";
import { exactEnvironment } from "@codex/environment";
import { connectWebSocket, createExecServerEnvironment } from "@codex/exec-server";
import { fullAccess, joinPath, toAbsolutePath } from "@codex/protocol";
import { temporaryDirectory, within } from "@codex/test-support";
import { describe, expect, test } from "vitest";
import { type ServerProcess, startServer } from "./connections.ts";
import { rejectionOf } from "./fake-server.ts";

/** Pings are this far apart here: a silent server is found within three of them. */
const pingIntervalMs = 300;

describe("an executor over a websocket", () => {
  test("that is killed loses running and waiting calls at once, with one reason and without a code", async () => {
    await using server = await startServer();
    await using far = await openFar(server, {});
    const { process, calls } = await callsUnderWay(far.environment);
    server.child.kill("SIGKILL");
    const errors = await within(Promise.all(calls), "the loss", 4_000);
    expectLost([...errors, await rejectionOf(process.write(Buffer.from("x")))]);
  });

  test("that is frozen is lost within three pings", async () => {
    await using server = await startServer();
    await using far = await openFar(server);
    const { calls } = await callsUnderWay(far.environment);
    server.child.kill("SIGSTOP");
    const errors = await within(Promise.all(calls), "the loss", 10 * pingIntervalMs);
    const message = expect.stringMatching(
      /^environment `far` is lost: exec-server transport closed \(nothing was heard from the peer for [\d.]+ s\)$/,
    );
    expectLost(errors, message);
    await within(Promise.resolve(far.environment[Symbol.asyncDispose]()), "its end", 5_000);
  });

  test("that only keeps quiet while a command runs is not lost", async () => {
    await using server = await startServer();
    await using far = await openFar(server);
    const process = await far.environment.start(command("sleep 1.2; echo done"));
    const output = process.output[Symbol.asyncIterator]();
    expect(Buffer.from((await output.next()).value.bytes).toString()).toBe("done\n");
    expect(await process.exit).toEqual({ code: 0 });
  });

  test("whose client goes ends the commands of it", async () => {
    await using folder = await temporaryDirectory();
    const marker = joinPath(toAbsolutePath(folder.path), "marker");
    await using server = await startServer();
    const far = await openFar(server);
    const process = await far.environment.start(
      command(`echo $$; trap '' HUP TERM; sleep 60; touch ${marker}`),
    );
    const pid = Number(
      Buffer.from((await process.output[Symbol.asyncIterator]().next()).value.bytes).toString(),
    );
    await far.environment[Symbol.asyncDispose]();
    // The server is told by the end of the connection only; a second client sees that it was done.
    await using other = await openFar(server);
    await within(untilGone(other.environment, pid), "the command to be ended");
  });
});

async function openFar(server: ServerProcess, options: object = { pingIntervalMs }) {
  const client = await connectWebSocket({
    websocketUrl: server.url,
    dialect: "v0",
    ...options,
  });
  const environment = createExecServerEnvironment(client, {
    name: "far",
    cwd: toAbsolutePath("/"),
  });
  return { environment, [Symbol.asyncDispose]: () => environment[Symbol.asyncDispose]() };
}

/** A command that runs, its output and its end awaited, input nobody takes, and one more start. */
async function callsUnderWay(environment: Environment) {
  const process = await environment.start(command("sleep 60"));
  const writer = await environment.start({
    ...command("stty raw; sleep 60"),
    tty: { rows: 24, columns: 80 },
  });
  const calls = [
    process.exit,
    process.closed,
    Promise.resolve(process.output[Symbol.asyncIterator]().next()),
    writer.write(new Uint8Array(1_000_000).fill(97)),
    environment.start(command("sleep 60")).then(({ exit }) => exit),
  ].map(rejectionOf);
  // Everything above has reached the server.
  await environment.fileSystem.getMetadata(toAbsolutePath("/"));
  return { process, calls };
}

function expectLost(errors: readonly unknown[], message: unknown = expect.any(String)): void {
  for (const error of errors)
    expect(error).toMatchObject({
      name: "ProcessError",
      kind: "lost",
      environment: "far",
      message,
    });
}

async function untilGone(environment: Environment, pid: number): Promise<void> {
  for (;;) {
    const process = await environment.start(command(`kill -0 ${pid}`));
    if ((await process.exit).code !== 0) return;
  }
}

function command(script: string): SpawnOptions {
  return {
    argv: ["sh", "-c", script],
    cwd: "/",
    env: exactEnvironment({ PATH: "/usr/bin:/bin" }),
    tty: false,
    stdin: "closed",
    sandbox: fullAccess,
  };
}
