import { existsSync } from "node:fs";
import { createLocalEnvironment, exactEnvironment } from "@codex/environment";
import { describeSandbox, type OpenSandboxed } from "@codex/environment/testing";
import {
  connectInProcess,
  connectWebSocket,
  createExecServerEnvironment,
  spawnLocalExecServer,
} from "@codex/exec-server";
import { fullAccess, joinPath, type SandboxIntent, toAbsolutePath } from "@codex/protocol";
import { temporaryDirectory } from "@codex/test-support";
import { describe, expect, test } from "vitest";
import { serverProgram, startServer } from "./client/connections.ts";

const variables = process.env;
const hasBubblewrap = (variables["PATH"] ?? "")
  .split(":")
  .some((folder) => folder.startsWith("/") && existsSync(`${folder}/bwrap`));

type Dialect = "v0" | "current";

/** A server that the run owns gets the run's intent as its bound; nothing is said of it then. */
const openInProcess = async (
  ...[boundIntent, cwd, dialect = "v0"]: [...Parameters<OpenSandboxed>, Dialect?]
) => {
  const served = createLocalEnvironment({ cwd, variables, sandboxBound: boundIntent });
  const client = await connectInProcess(served, { dialect });
  return createExecServerEnvironment(client, { name: "in-process", cwd, boundIntent });
};

const openSpawned: typeof openInProcess = async (boundIntent, cwd, dialect = "v0") => {
  const args = [serverProgram, "--sandbox-intent", JSON.stringify(boundIntent)];
  const command = { program: process.execPath, args };
  const { client } = await spawnLocalExecServer(command, { variables, dialect });
  return createExecServerEnvironment(client, { name: "spawned", cwd, boundIntent });
};

/** A server of somebody else, that has no bound of its own and hears everything. */
const openToldServer: OpenSandboxed = async (_, cwd) => {
  const server = await startServer();
  const client = await connectWebSocket({ websocketUrl: server.url });
  const environment = createExecServerEnvironment(client, { name: "told", cwd });
  const dispose = environment[Symbol.asyncDispose].bind(environment);
  return Object.assign(environment, {
    async [Symbol.asyncDispose]() {
      await dispose();
      await server[Symbol.asyncDispose]();
    },
  });
};

if (!hasBubblewrap) test.skip("exec-server sandbox: bwrap is not installed", () => {});
else {
  describeSandbox("an in-process server", openInProcess);
  describeSandbox("a spawned server", openSpawned);
  describeSandbox("a server that is told, over a websocket", openToldServer);
}

describe.skipIf(!hasBubblewrap).each([
  ["an in-process server", openInProcess],
  ["a spawned server", openSpawned],
])("%s", (_name, open) => {
  test("holds a start and a change that ask for more to its bound", async () => {
    await using folder = await temporaryDirectory();
    const root = toAbsolutePath(folder.path);
    const bound: SandboxIntent = { mode: "read-only", networkAccess: false };
    await using environment = await open(bound, root);
    const path = joinPath(root, "file");
    await expect(
      environment.fileSystem.writeFile(path, Buffer.from("x"), { sandbox: fullAccess }),
    ).rejects.toMatchObject({ kind: "sandboxDenied" });
    await using process = await environment.start({
      argv: ["sh", "-c", `echo x > ${path}`],
      cwd: root,
      env: exactEnvironment({ PATH: "/usr/bin:/bin" }),
      tty: false,
      stdin: "closed",
      sandbox: fullAccess,
    });
    expect((await process.exit).code).not.toBe(0);
  });

  test("refuses an intent that is neither its bound nor none, which v0 cannot carry", async () => {
    const root = toAbsolutePath("/");
    await using environment = await open({ mode: "read-only", networkAccess: true }, root);
    const started = environment.start({
      argv: ["true"],
      cwd: root,
      env: exactEnvironment({}),
      tty: false,
      stdin: "closed",
      sandbox: { mode: "read-only", networkAccess: false },
    });
    await expect(started).rejects.toMatchObject({ kind: "sandboxUnavailable" });
  });

  test("is told an intent that is not its bound in the present form, and enforces what both allow", async () => {
    await using folder = await temporaryDirectory();
    const root = toAbsolutePath(folder.path);
    const common = { includeSlashTmp: false, includeTmpdir: false, networkAccess: false };
    const bound = { mode: "workspace-write", writableRoots: [root], ...common } as const;
    await using environment = await open(bound, root, "current");
    const path = joinPath(root, "file");
    const sandbox = { mode: "read-only", networkAccess: false } as const;
    await expect(
      environment.fileSystem.writeFile(path, Buffer.from("x"), { sandbox }),
    ).rejects.toMatchObject({ kind: "sandboxDenied" });
    await using process = await environment.start({
      argv: ["sh", "-c", `echo x > ${path}`],
      cwd: root,
      env: exactEnvironment({ PATH: "/usr/bin:/bin" }),
      tty: false,
      stdin: "closed",
      sandbox,
    });
    expect((await process.exit).code).not.toBe(0);
    await environment.fileSystem.writeFile(path, Buffer.from("x"), { sandbox: bound });
  });
});
