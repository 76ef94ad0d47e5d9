import { readFileSync } from "node:fs";
import { extensionNames, methodExtensions } from "@codex/protocol";
import { expect, test } from "vitest";
import { hello, openCurrent, openServer, refused } from "./open-current.ts";

const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
const { version } = JSON.parse(manifest) as { readonly version: string };

test("exec-server.md 1: the key `resumeSessionId` alone chooses the present form, whatever its value", async () => {
  const { connect } = openServer();
  expect(await connect().call("initialize", { clientName: "x", resumeSessionId: null })).toEqual({
    id: 1,
    result: {
      sessionId: "id-2",
      environmentInfo: {
        shell: { name: "bash", path: "/bin/bash" },
        executorVersion: version,
        cwd: "file:///work",
        userHomeDir: "file:///home/user",
        platformOs: "linux",
        prependPathDirs: [],
        temporaryDirectories: [],
        tempDir: "file:///tmp",
        capabilities: expect.objectContaining({ fsWatchMissing: false, networkProxyLaunch: false }),
      },
    },
  });
  expect(await connect().call("initialize", { clientName: "x" })).toEqual({
    id: 1,
    result: { protocolVersion: "exec-server.v0" },
  });
});

test("extensions are answered when they are asked for, unknown names are not", async () => {
  const { connect } = openServer();
  const wanted = ["rename", "telepathy", "instance"];
  expect(await hello(connect(), { resumeSessionId: null, extensions: wanted })).toMatchObject({
    result: { extensions: ["rename", "instance"], instanceId: "id-1", sessionGraceMs: 80_000 },
  });
  const { result } = (await hello(connect(), { resumeSessionId: null })) as {
    readonly result: object;
  };
  expect(Object.keys(result)).toEqual(["sessionId", "environmentInfo"]);
});

test("exec-server.md 4: the gate names the kind of method", async () => {
  const { connect } = openServer();
  const client = connect();
  await client.call("initialize", { clientName: "x", resumeSessionId: null });
  const gate = (name: string) =>
    refused(`client must send initialized before using ${name} methods`);
  const path = "file:///work";
  expect(await client.call("fs/getMetadata", { path })).toMatchObject(gate("filesystem"));
  expect(await client.call("process/read", { processId: "p" })).toMatchObject(gate("exec"));
  expect(await client.call("environment/info", null)).toMatchObject(gate("environment info"));
  expect(await client.call("environment/status", null)).toMatchObject(gate("environment status"));
  await client.send({ method: "initialized", params: {} });
  expect(await client.call("environment/status", null)).toMatchObject({
    result: { status: "ready" },
  });
  expect(await client.call("initialize", { clientName: "x", resumeSessionId: null })).toMatchObject(
    refused("initialize may only be sent once per connection"),
  );
});

test("environment/info answers what initialize told", async () => {
  const { connect } = openServer();
  const client = connect();
  const { result } = (await hello(client, { resumeSessionId: null })) as {
    readonly result: { readonly environmentInfo: object };
  };
  expect(await client.call("environment/info", null)).toMatchObject({
    result: result.environmentInfo,
  });
});

test("exec-server.md 4: what is no message is answered with id -1, and the connection goes on", async () => {
  const { client } = await openCurrent();
  for (const message of [{ foo: 1 }, { id: null, method: "x" }, []]) {
    const answer = client.answerTo(-1);
    await client.send(message as never);
    expect(await answer).toEqual({
      id: -1,
      error: {
        code: -32_600,
        message: expect.stringMatching(/^failed to parse JSON-RPC message from exec-server /),
      },
    });
  }
  expect(await client.call("environment/status", null)).toMatchObject({
    result: { status: "ready" },
  });
});

test("a method that is not there is -32601 in the original's words, also the original's optional ones", async () => {
  const { client } = await openCurrent();
  for (const method of ["nope", "fs/watchMissing", "environmentConfig/read", "http/request"])
    expect(await client.call(method, {})).toMatchObject(
      refused(`exec-server stub does not implement \`${method}\` yet`, -32_601),
    );
});

const requestExtensions = Object.entries(methodExtensions).filter(
  ([method]) => method !== "process/ack",
);

test.each(requestExtensions)("%s is there only with the extension %s", async (method, name) => {
  const notThere = refused(`exec-server stub does not implement \`${method}\` yet`, -32_601);
  const others = extensionNames.filter((other) => other !== name);
  const { client } = await openCurrent({ extensions: others });
  expect(await client.call(method, {})).toMatchObject(notThere);
  const asking = await openCurrent({ extensions: [name] });
  expect(await asking.client.call(method, {})).not.toMatchObject(notThere);
});

const path = "file:///work/f";
const walkOptions = {
  maxDepth: 1,
  maxDirectories: 1,
  maxEntries: 1,
  followDirectorySymlinks: false,
  pruneHiddenDirectories: false,
};
const start = { processId: "p", argv: ["idle"], cwd: "file:///work", env: {}, tty: true };
const readOnly = { mode: "read-only", networkAccess: false };

test.each([
  ["terminalSize", "process/start", { ...start, size: { rows: 1, columns: 2 } }, "size"],
  ["sandboxIntent", "process/start", { ...start, sandboxIntent: readOnly }, "sandboxIntent"],
  ["signals", "process/signal", { processId: "p", signal: "SIGTERM" }, "signal"],
  ["gracefulTerminate", "process/terminate", { processId: "p", graceMs: 0 }, "graceMs"],
  ["fileMode", "fs/writeFile", { path, dataBase64: "", mode: 0o600 }, "mode"],
  ["atomicWrite", "fs/writeFile", { path, dataBase64: "", atomic: true }, "atomic"],
  ["entryKinds", "fs/readDirectory", { path, everyEntry: true }, "everyEntry"],
  ["entryKinds", "fs/walk", { path, options: { ...walkOptions, everyEntry: true } }, "everyEntry"],
  ["walkMetadata", "fs/walk", { path, options: { ...walkOptions, metadata: true } }, "metadata"],
  ["sandboxIntent", "fs/remove", { path, sandboxIntent: readOnly }, "sandboxIntent"],
])("without the extension %s, %s refuses its field", async (name, method, params, field) => {
  const others = extensionNames.filter((other) => other !== name);
  const { client } = await openCurrent({ extensions: others });
  expect(await client.call(method, params)).toMatchObject(
    refused(`field \`${field}\` needs the extension \`${name}\``, -32_602),
  );
});

test.each([
  [{ method: "initialized", params: {} }, undefined],
  [{ method: "process/ack", params: { processId: "p", seq: 1 } }, "unexpectedNotification"],
  [{ method: "other", params: {} }, "unexpectedNotification"],
])("the notification %j without extensions ends the connection with %s", async (message, kind) => {
  const { client } = await openCurrent();
  await client.send(message);
  if (kind === undefined) {
    expect(await client.call("environment/status", null)).toMatchObject({ id: 2 });
    return;
  }
  expect(await client.served).toMatchObject({ name: "ProtocolError", kind });
});
