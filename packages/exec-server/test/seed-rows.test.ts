import { mkdir } from "node:fs/promises";
import { createMemoryEnvironment, type MemoryProgram } from "@codex/environment/testing";
import { createTransportPair } from "@codex/jsonrpc";
import { ErrorCode, toAbsolutePath } from "@codex/protocol";
import { temporaryDirectory, within } from "@codex/test-support";
import { createExecServerEnvironment, type ExecServerEvent, serve } from "@codex/exec-server";
import { expect, onTestFinished, test } from "vitest";
import { connections } from "./client/connections.ts";
import { connected, rejectionOf } from "./client/fake-server.ts";
import { connectBare, startParams } from "./server/bare-client.ts";

// Rows of the seed that no other test of this package has at its heart.

const quick: MemoryProgram = ({ process }) => process.finish();

async function open() {
  const files = { "/work/a.txt": "a" };
  const environment = createMemoryEnvironment({ programs: { quick }, files });
  const client = connectBare({ environment });
  onTestFinished(() => client[Symbol.asyncDispose]());
  await client.handshake();
  return client;
}

test.each(connections)(
  "seed B5: a folder and a file are exactly two records, neither a link, over %s",
  async (_name, connect) => {
    await using folder = await temporaryDirectory({ "root.txt": "x" });
    await mkdir(`${folder.path}/nested`);
    await using client = await connect();
    const { entries } = await client.fsReadDirectory({ path: folder.path });
    expect(entries.toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1))).toEqual([
      { fileName: "nested", isDirectory: true, isFile: false, isSymlink: false },
      { fileName: "root.txt", isDirectory: false, isFile: true, isSymlink: false },
    ]);
  },
);

test("seed C6: a file that is no base64 is an error of kind invalidData", async () => {
  const { server, client } = await connected();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const cwd = toAbsolutePath("/w");
  await using environment = createExecServerEnvironment(client, { name: "far", cwd });
  const read = rejectionOf(environment.fileSystem.readFile(toAbsolutePath("/w/f")));
  await server.answer(await server.request("fs/readFile"), { dataBase64: "%%%" });
  expect(await read).toMatchObject({ name: "FileSystemError", kind: "invalidData" });
});

test("seed K12: whatever `initialized` brings is ignored", async () => {
  const environment = createMemoryEnvironment({});
  await using client = connectBare({ environment });
  await client.call("initialize", { clientName: "x" });
  await client.send({ method: "initialized", params: ["anything", { at: "all" }] });
  expect(await client.call("process/terminate", { processId: "none" })).toMatchObject({
    result: { running: false },
  });
});

test("seed L12: a write to a terminal whose program is gone is an internal error", async () => {
  const client = await open();
  await client.call("process/start", startParams("p", ["quick"], { tty: true }));
  await client.notification("the exit", ({ method }) => method === "process/exited");
  expect(await client.call("process/write", { processId: "p", chunk: "aGk=" })).toMatchObject({
    error: { code: ErrorCode.internalError, message: "failed to write to process stdin" },
  });
});

test("seed M1: content that is no base64 is refused by the name of its field", async () => {
  const client = await open();
  const params = { path: "/work/b.txt", dataBase64: "%%%" };
  expect(await client.call("fs/writeFile", params)).toMatchObject({
    error: {
      code: ErrorCode.invalidRequest,
      message: expect.stringMatching(/^fs\/writeFile requires valid base64 dataBase64/),
    },
  });
});

test("seed M6: over v0 what is missing is an internal error, what cannot be asked an invalid request", async () => {
  const client = await open();
  expect(await client.call("fs/readFile", { path: "/work/none" })).toMatchObject({
    error: {
      code: ErrorCode.internalError,
      message: "No such file or directory (os error 2)",
    },
  });
  const copy = { sourcePath: "/work", destinationPath: "/elsewhere", recursive: false };
  expect(await client.call("fs/copy", copy)).toMatchObject({
    error: {
      code: ErrorCode.invalidRequest,
      message: "fs/copy requires recursive: true when sourcePath is a directory",
    },
  });
});

test("seed N7: the end of the input is a clean end, without a reason", async () => {
  const [near, far] = createTransportPair();
  const served = serve({ transport: far, environment: createMemoryEnvironment({}) });
  await near[Symbol.asyncDispose]();
  expect(await within(served, "the end of the server")).toBeUndefined();
});

test.each(connections)(
  "seed N11, J20: a terminal prints, and echoes what is written to it, over %s",
  async (_name, connect) => {
    await using client = await connect();
    const events = client.events()[Symbol.asyncIterator]();
    const script = 'stty -echo; printf "ready\\n"; IFS= read -r line; printf "echo:%s\\n" "$line"';
    const { processId } = await client.exec({
      processId: "terminal",
      argv: ["/bin/sh", "-c", script],
      tty: true,
      cwd: "/tmp",
      env: { PATH: "/usr/bin:/bin" },
    });
    expect(await textUntil(events, "ready")).toBe("ready\r\n");
    await client.write(processId, Buffer.from("hello\n"));
    expect(await textUntil(events, "hello")).toBe("echo:hello\r\n");
  },
);

/** What the terminal says until `word` and a line's end have come. */
async function textUntil(events: AsyncIterator<ExecServerEvent>, word: string): Promise<string> {
  let text = "";
  while (!(text.includes(word) && text.endsWith("\n"))) {
    const { value } = await within(events.next(), word);
    if (value?.type === "output") text += Buffer.from(value.bytes).toString();
    else throw new Error(`the terminal ended after ${JSON.stringify(text)}`);
  }
  return text;
}
