import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cliPath, within } from "@codex/test-support";
import { type ExecResult, execWith } from "./exec-with.ts";

/** No row may take longer than this; a process that hangs is ended and the row fails. */
const timeoutMs = 8_000;
const bound = { timeoutMs } as const;

function promptSent({ requests }: ExecResult): string | undefined {
  const input = requests[0]?.body?.["input"] as { content: { text: string }[] }[] | undefined;
  return input?.at(-1)?.content.at(-1)?.text;
}

function expectRun(result: ExecResult, prompt: string, told: string | undefined): void {
  const notices = result.stderr
    .split("\n")
    .filter((line) => /stdin/.test(line) && !line.startsWith("<"));
  expect({
    code: result.code,
    isTimedOut: result.isTimedOut,
    prompt: promptSent(result),
    notices,
  }).toEqual({ code: 0, isTimedOut: false, prompt, notices: told === undefined ? [] : [told] });
}

const nothingCame = "nothing on stdin within 250 ms, going on without it";
const withText = "go\n\n<stdin>\ntext\n</stdin>";

test("a pipe with text is appended to the prompt", async () => {
  const result = await execWith({ run: { ...bound, stdin: { text: "text\n" } } });
  expectRun(result, withText, "read 5 bytes from stdin");
});

test("an open pipe nobody writes to does not hold up the run", async () => {
  const result = await execWith({ run: { ...bound, stdin: "open" } });
  expectRun(result, "go", nothingCame);
  expect(result.durationMs).toBeLessThan(timeoutMs);
});

test("a pipe that begins in time is read to its end, however slow", async () => {
  const result = await execWith({
    run: {
      ...bound,
      stdin: "open",
      onStart: ({ stdin }) => {
        stdin?.write("te");
        setTimeout(() => stdin?.end("xt"), 600);
      },
    },
  });
  expectRun(result, withText, "read 4 bytes from stdin");
});

test("an empty pipe that ends is no text", async () => {
  const result = await execWith({ run: { ...bound, stdin: { text: "" } } });
  expectRun(result, "go", "stdin is empty");
});

test("/dev/null is not mentioned", async () => {
  expectRun(await execWith({ run: { ...bound, stdin: "none" } }), "go", undefined);
});

test("a closed descriptor is not mentioned", async () => {
  const command = ["/bin/sh", "-c", 'exec "$@" <&-', "sh", process.execPath, cliPath];
  expectRun(await execWith({ run: { ...bound, command } }), "go", undefined);
});

test("a file is read to its end", async () => {
  const command = ["/bin/sh", "-c", 'exec "$@" <in.txt', "sh", process.execPath, cliPath];
  const result = await execWith({ files: { "in.txt": "text\n" }, run: { ...bound, command } });
  expectRun(result, withText, "read 5 bytes from stdin");
});

test("a FIFO somebody holds open without writing does not hold up the run", async () => {
  const command = ["/bin/sh", "-c", 'exec "$@" <>fifo', "sh", process.execPath, cliPath];
  const prepare = async ({ workspace }: { workspace: string }): Promise<void> => {
    execFileSync("mkfifo", [join(workspace, "fifo")]);
  };
  expectRun(await execWith({ prepare, run: { ...bound, command } }), "go", nothingCame);
});

test("a FIFO with a writer is read to its end", async () => {
  const command = [
    "/bin/sh",
    "-c",
    'printf text >fifo & exec "$@" <fifo',
    "sh",
    process.execPath,
    cliPath,
  ];
  const prepare = async ({ workspace }: { workspace: string }): Promise<void> => {
    execFileSync("mkfifo", [join(workspace, "fifo")]);
  };
  const result = await execWith({ prepare, run: { ...bound, command } });
  expectRun(result, withText, "read 4 bytes from stdin");
});

test.each([
  { write: "text", prompt: withText, told: "read 4 bytes from stdin" },
  { write: undefined, prompt: "go", told: nothingCame },
])("a socket is read like a pipe: $write", async ({ write, prompt, told }) => {
  // Paused, so that the bytes are left to the child that gets the descriptor.
  const server = createServer({ pauseOnConnect: true }).listen(0, "127.0.0.1");
  await within(once(server, "listening"), "a listening server");
  const far = connect((server.address() as { port: number }).port, "127.0.0.1");
  const [near] = (await within(once(server, "connection"), "a connection")) as [Socket];
  if (write !== undefined) far.end(write);
  const { fd } = (near as unknown as { _handle: { fd: number } })._handle;
  const result = await execWith({ run: { ...bound, stdin: fd } });
  near.destroy();
  far.destroy();
  server.close();
  expectRun(result, prompt, told);
});

test.each([["-"], []])("the prompt itself may come from stdin: %s", async (...args) => {
  const result = await execWith({ args, run: { ...bound, stdin: { text: " do it\n" } } });
  expect({ code: result.code, prompt: promptSent(result) }).toEqual({
    code: 0,
    prompt: " do it\n",
  });
});

test("a prompt on stdin is waited for, and a signal ends the wait", async () => {
  const { code, requests } = await execWith({
    args: [],
    run: {
      ...bound,
      stdin: "open",
      onStart: (child) => child.stderr?.once("data", () => child.kill("SIGINT")),
    },
  });
  expect({ code, requests }).toEqual({ code: 130, requests: [] });
});
