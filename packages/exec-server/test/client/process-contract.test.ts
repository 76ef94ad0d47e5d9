import type { Environment, SpawnedProcess } from "@codex/environment";
import { createExecServerEnvironment } from "@codex/exec-server";
import { toAbsolutePath } from "@codex/protocol";
import { type ProcessOffers, processContract } from "@codex/pty/testing";
import { afterAll, beforeAll, describe } from "vitest";
import { wires } from "./connections.ts";

const v0: ProcessOffers = {
  resize: false,
  closeStdin: false,
  stdinPipes: false,
  signals: false,
  gracefulTerminate: false,
  exitSignal: false,
  terminalSize: false,
  lateOutput: false,
  sharesStream: true,
};

describe.each(wires)("exec-server.v0", (name, connect) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = createExecServerEnvironment(await connect({ dialect: "v0" }), {
      name: "far",
      cwd: toAbsolutePath("/"),
    });
  });
  afterAll(() => environment[Symbol.asyncDispose]());

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
  processContract(`exec-server.v0 over ${name}`, openSide, v0);
});
