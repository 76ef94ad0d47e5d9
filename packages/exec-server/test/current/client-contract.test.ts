import type { Environment, SpawnedProcess } from "@codex/environment";
import {
  describeEnvironment,
  describeFileSystem,
  diskFixtures,
  everyFileOffer,
  openLocalSubject,
} from "@codex/environment/testing";
import { createExecServerEnvironment } from "@codex/exec-server";
import { toAbsolutePath } from "@codex/protocol";
import { processContract, type ProcessOffers } from "@codex/pty/testing";
import { afterAll, beforeAll, describe } from "vitest";
import { connections, wires } from "../client/connections.ts";

/** All that our server announces. */
const every: ProcessOffers = {
  resize: true,
  closeStdin: true,
  stdinPipes: true,
  signals: true,
  gracefulTerminate: true,
  exitSignal: true,
};

describe.each(wires)("exec-server.current", (name, connect) => {
  let environment: Environment;
  beforeAll(async () => {
    const cwd = toAbsolutePath("/");
    environment = createExecServerEnvironment(await connect(), { name: "far", cwd });
  });
  afterAll(() => environment[Symbol.asyncDispose]());

  describeFileSystem(`exec-server.current over ${name}`, async () => {
    const { root, [Symbol.asyncDispose]: removeRoot } = await openLocalSubject();
    return {
      ...diskFixtures,
      root,
      fileSystem: environment.fileSystem,
      offers: everyFileOffer,
      [Symbol.asyncDispose]: () => removeRoot(),
    };
  });

  // One connection for all tests, so that what one leaves behind would show in the next.
  const openSide = async () => {
    const started: SpawnedProcess[] = [];
    return {
      start: async (...args: Parameters<Environment["start"]>) => {
        const process = await environment.start(...args);
        started.push(process);
        return process;
      },
      async [Symbol.asyncDispose]() {
        await Promise.all(started.map((process) => process[Symbol.asyncDispose]()));
      },
    };
  };
  processContract(`exec-server.current over ${name}`, openSide, every);
});

for (const [name, connect] of connections)
  describeEnvironment(`exec-server.current over ${name}`, async () => {
    const { root, [Symbol.asyncDispose]: removeRoot } = await openLocalSubject();
    const environment = createExecServerEnvironment(await connect(), { name: "far", cwd: root });
    return {
      environment,
      root,
      async [Symbol.asyncDispose]() {
        await environment[Symbol.asyncDispose]();
        await removeRoot();
      },
    };
  });
