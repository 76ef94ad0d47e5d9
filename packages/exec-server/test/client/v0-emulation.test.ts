import { symlink } from "node:fs/promises";
import {
  createLocalEnvironment,
  type EnvironmentPolicy,
  exactEnvironment,
} from "@codex/environment";
import { createTransportPair, type Transport } from "@codex/jsonrpc";
import { createExecServerEnvironment, ExecServerClient, serve } from "@codex/exec-server";
import { fullAccess, type JsonRpcMessage, toAbsolutePath } from "@codex/protocol";
import { temporaryDirectory } from "@codex/test-support";
import { describe, expect, onTestFinished, test } from "vitest";
import { connected, rejectionOf } from "./fake-server.ts";

describe("a v0 server that does not tell the kind of a failure", () => {
  test("C7: is asked for the listing of the parent: what is missing is not found, the rest is not", async () => {
    await using folder = await temporaryDirectory({ "sub/file": "text", "notes/": "" });
    await symlink("nowhere", `${folder.path}/dangling`);
    const { environment } = await openTaciturn();
    const kind = async (name: string) =>
      (
        (await rejectionOf(
          environment.fileSystem.readFile(toAbsolutePath(`${folder.path}/${name}`)),
        )) as { kind: string }
      ).kind;
    expect({
      missing: await kind("missing"),
      missingAbove: await kind("missing/far/below"),
      belowFile: await kind("sub/file/below"),
      dangling: await kind("dangling"),
      directory: await kind("notes"),
    }).toEqual({
      missing: "notFound",
      missingAbove: "notFound",
      belowFile: "notDirectory",
      dangling: "notFound",
      directory: "other",
    });
  });

  test("questions about one directory that are under way together are one listing", async () => {
    await using folder = await temporaryDirectory();
    const { environment, sent } = await openTaciturn();
    const names = ["a", "b", "c", "d"].map((name) => toAbsolutePath(`${folder.path}/${name}`));
    const kinds = names.map((path) => rejectionOf(environment.fileSystem.getMetadata(path)));
    for (const error of await Promise.all(kinds)) expect(error).toMatchObject({ kind: "notFound" });
    expect(sent.filter((method) => method === "fs/readDirectory")).toHaveLength(1);
  });

  test("a start in a directory that is missing is told as such", async () => {
    const { environment } = await openTaciturn();
    const start = (cwd: string) =>
      environment.start({ ...command, cwd, env: exactEnvironment({ PATH: "/usr/bin:/bin" }) });
    expect(await rejectionOf(start("/no/such/folder"))).toMatchObject({ kind: "badCwd" });
    expect(await rejectionOf(start("/etc/passwd"))).toMatchObject({ kind: "badCwd" });
  });
});

describe("facts about a machine that v0 has no way to ask for", () => {
  const policy: EnvironmentPolicy = {
    inherit: "all",
    ignoreDefaultExcludes: true,
    exclude: ["DROP*"],
    set: { SET: "by us" },
    includeOnly: [],
    overlay: { TERM: "dumb" },
  };

  test("are read from the server's own variables, once; its token stays with it", async () => {
    const { server, environment } = await openFake();
    const info = environment.info();
    const read = await server.request("fs/readFile");
    expect(read.params).toEqual({ path: "/proc/self/environ" });
    await server.answer(read, {
      dataBase64: base64(
        "HOME=/home/far\0SHELL=/bin/zsh\0TMPDIR=/scratch\0PATH=/far/bin\0DROPPED=x\0EMPTY=\0CODEX_EXEC_SERVER_CONNECTION_TOKEN=secret\0",
      ),
    });
    for (const isFile of [false, true, true]) {
      const metadata = await server.request("fs/getMetadata");
      await server.answer(metadata, {
        isFile,
        isDirectory: false,
        createdAtMs: 0,
        modifiedAtMs: 0,
      });
    }
    expect(await info).toEqual({
      cwd: "/far/place",
      home: "/home/far",
      tempDirectory: "/scratch",
      platform: "linux",
      shell: { name: "bash", path: "/bin/bash" },
    });
    expect(await environment.info()).toEqual(await info);
    const starting = environment.start({ ...command, env: policy });
    const start = await server.request("process/start");
    expect(start.params).toMatchObject({
      env: {
        HOME: "/home/far",
        SHELL: "/bin/zsh",
        TMPDIR: "/scratch",
        PATH: "/far/bin",
        EMPTY: "",
        SET: "by us",
        TERM: "dumb",
      },
    });
    expect(Object.keys((start.params as { env: object }).env)).toHaveLength(7);
    await server.answer(start, { processId: "1" });
    await starting;
  });

  test("are assumed when they cannot be read: a usual PATH, /bin/sh, nothing of this machine", async () => {
    const { server, environment } = await openFake();
    const starting = environment.start({ ...command, env: policy });
    await server.refuse(await server.request("fs/readFile"), -32603, "denied", {
      kind: "permissionDenied",
    });
    const start = await server.request("process/start");
    expect(start.params).toMatchObject({
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", SET: "by us", TERM: "dumb" },
    });
    expect(Object.keys((start.params as { env: object }).env)).toHaveLength(3);
    await server.answer(start, { processId: "1" });
    await starting;
    const info = environment.info();
    for (const _ of ["/bin/bash", "/bin/sh"])
      await server.refuse(await server.request("fs/getMetadata"), -32603, "no", {
        kind: "notFound",
      });
    expect(await info).toMatchObject({ home: "/", tempDirectory: "/tmp", shell: { name: "sh" } });
  });

  test("what v0 cannot say is refused before anything is sent", async () => {
    const { environment } = await openFake();
    const env = exactEnvironment({});
    const refused = async (changes: object) =>
      rejectionOf(environment.start({ ...command, env, ...changes }));
    expect(await refused({ sandbox: { mode: "read-only", networkAccess: false } })).toMatchObject({
      kind: "sandboxUnavailable",
      environment: "far",
    });
    expect(await refused({ stdin: "open" })).toMatchObject({
      kind: "unsupported",
      message:
        "environment `far`: exec-server.v0 does not offer an open standard input without a terminal",
    });
  });
});

const command = {
  argv: ["true"],
  cwd: "/far/place",
  tty: false,
  stdin: "closed",
  sandbox: fullAccess,
} as const;

async function openFake() {
  const { server, client } = await connected();
  const cwd = toAbsolutePath("/far/place");
  return { server, environment: createExecServerEnvironment(client, { name: "far", cwd }) };
}

/** Our own server behind a peer that forgets the data of every error, as the seed's does. `sent` are the methods asked for. */
async function openTaciturn() {
  const [ours, between] = createTransportPair();
  const [beyond, theirs] = createTransportPair();
  const sent: string[] = [];
  const cwd = toAbsolutePath("/");
  const local = createLocalEnvironment({ cwd, variables: process.env });
  void serve({ transport: theirs, environment: local });
  void pass(between, beyond, (message) => {
    if ("method" in message) sent.push(message.method);
    return message;
  });
  void pass(beyond, between, (message) => {
    if (!("error" in message)) return message;
    const { code, message: text } = message.error;
    return { id: message.id, error: { code, message: text } };
  });
  const client = await ExecServerClient.open(ours, { dialect: "v0" });
  const environment = createExecServerEnvironment(client, { name: "far", cwd });
  onTestFinished(async () => {
    await environment[Symbol.asyncDispose]();
    await local[Symbol.asyncDispose]();
  });
  return { environment, sent };
}

async function pass(
  from: Transport,
  to: Transport,
  change: (message: JsonRpcMessage) => JsonRpcMessage,
): Promise<void> {
  for await (const message of from.messages)
    if (!("malformed" in message)) await to.send(change(message));
  await to[Symbol.asyncDispose]();
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
