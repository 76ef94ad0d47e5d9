import { existsSync } from "node:fs";
import { createLocalEnvironment, exactEnvironment } from "@codex/environment";
import { describeSandbox, type OpenSandboxed } from "@codex/environment/testing";
import {
  connectInProcess,
  createExecServerEnvironment,
  spawnLocalExecServer,
} from "@codex/exec-server";
import { fullAccess, joinPath, type SandboxIntent, toAbsolutePath } from "@codex/protocol";
import { temporaryDirectory } from "@codex/test-support";
import { describe, expect, test } from "vitest";
import { serverProgram } from "./client/connections.ts";

const variables = process.env;
const hasBubblewrap = (variables["PATH"] ?? "")
  .split(":")
  .some((folder) => folder.startsWith("/") && existsSync(`${folder}/bwrap`));

/** A server that the run owns gets the run's intent as its bound; v0 says nothing of it. */
const openInProcess: OpenSandboxed = async (boundIntent, cwd) => {
  const served = createLocalEnvironment({ cwd, variables, sandboxBound: boundIntent });
  const client = await connectInProcess(served);
  return createExecServerEnvironment(client, { name: "in-process", cwd, boundIntent });
};

const openSpawned: OpenSandboxed = async (boundIntent, cwd) => {
  const args = [serverProgram, "--sandbox-intent", JSON.stringify(boundIntent)];
  const { client } = await spawnLocalExecServer({ program: process.execPath, args }, { variables });
  return createExecServerEnvironment(client, { name: "spawned", cwd, boundIntent });
};

if (!hasBubblewrap) test.skip("exec-server sandbox: bwrap is not installed", () => {});
else {
  describeSandbox("an in-process server", openInProcess);
  describeSandbox("a spawned server", openSpawned);
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
});
