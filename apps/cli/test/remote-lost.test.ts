import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { temporaryDirectory } from "@codex/test-support";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ExecResult } from "./exec-with.ts";
import { commandFor, startExecutor } from "./executor.ts";
import { expectLost, runAt } from "./far-run.ts";

describe("an executor that cannot be reached: exit 4 before the model is asked, nothing run here", () => {
  test("nobody listens", async () => {
    const url = `ws://127.0.0.1:${await closedPort()}`;
    expectNotStarted(await runAt(`url = "${url}"`), {
      message: new RegExp(
        `^Failed to create unified exec process: environment \`far\`: failed to connect to exec-server websocket \`${url}\`: .*ECONNREFUSED`,
      ),
    });
  });

  test("it accepts and says nothing", async () => {
    const url = `ws://127.0.0.1:${await silentPort()}`;
    expectNotStarted(await runAt(`url = "${url}"\nconnect_timeout_sec = 0.2`), {
      message: new RegExp(
        `environment \`far\`: timed out connecting to exec-server websocket \`${url}\` after 200ms$`,
      ),
    });
  });

  test("the token is wrong; it is not part of the message", async () => {
    await using executor = await startExecutor({ token: "right" });
    const settings = `url = "${executor.url}"\ntoken_env = "FAR_TOKEN"`;
    const result = await runAt(settings, { env: { FAR_TOKEN: "not-the-secret" } });
    expectNotStarted(result, { message: /environment `far`: .*server answered 401$/ });
    expect(result.stderr).not.toContain("not-the-secret");
  });

  test("the token is right, by variable and by file", async () => {
    await using executor = await startExecutor({ token: "right" });
    await using folder = await temporaryDirectory({ token: "right\n" });
    for (const [key, env] of [
      [`token_env = "FAR_TOKEN"`, { FAR_TOKEN: "right" }],
      [`token_file = "${folder.path}/token"`, {}],
    ] as const) {
      const result = await runAt(`url = "${executor.url}"\n${key}`, {
        env,
        scenario: [[{ message: "hi" }]],
      });
      expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 0, stdout: "hi\n" });
    }
  });

  test("it speaks another version", async () => {
    const script = `read line; echo '{"id":1,"result":{"protocolVersion":"exec-server.v9"}}'; cat`;
    expectNotStarted(await runAt(`command = ["sh", "-c", ${JSON.stringify(script)}]`), {
      message:
        /environment `far`: exec-server protocol error: unsupported protocol version "exec-server.v9" \(it .*\)$/,
    });
  });

  test("the command is not one: its first bytes and its standard error are quoted", async () => {
    const script = "echo Welcome; echo 'codex-exec-server: not found' >&2; exit 127";
    expectNotStarted(await runAt(`command = ["sh", "-c", ${JSON.stringify(script)}]`), {
      message:
        /environment `far`: .*\(it exited with code 127; stdout began with "Welcome"; stderr ended with "codex-exec-server: not found"\)$/,
    });
  });

  test("the command does not exist", async () => {
    expectNotStarted(await runAt(`command = ["no-such-command"]`), {
      message:
        /^Failed to create unified exec process: environment `far`: failed to spawn exec-server: No such file or directory \(os error 2\)$/,
    });
  });
});

describe("an executor that is lost while a command runs: exit 4, no code made up, nothing run here", () => {
  test("killed, over a websocket", async () => {
    await using executor = await startExecutor();
    const settings = `url = "${executor.url}"\nresume_timeout_sec = 0.3`;
    await expectLost(settings, executor, { signal: "SIGKILL", withinMs: 5_000 });
  });

  test("killed, as a command", async () => {
    await using folder = await temporaryDirectory();
    const script = `echo $$ > ${folder.path}/pid; exec "$0" "$1"`;
    const command = JSON.stringify(["sh", "-c", script, ...commandFor()]);
    const pid = async () => Number(await readFile(`${folder.path}/pid`, "utf8"));
    await expectLost(`command = ${command}`, { pid }, { signal: "SIGKILL", withinMs: 5_000 });
  });
});

function expectNotStarted(result: ExecResult, { message }: { readonly message: RegExp }): void {
  const { code, stdout, stderr, requests } = result;
  expect({ code, stdout, requests: requests.length }).toEqual({ code: 4, stdout: "", requests: 0 });
  expect(stderr.trimEnd()).toMatch(message);
}

async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function silentPort(): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listen(server);
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
