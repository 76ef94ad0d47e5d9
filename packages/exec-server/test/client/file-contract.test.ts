import { type Environment } from "@codex/environment";
import { describeFileSystem, diskFixtures, openLocalSubject } from "@codex/environment/testing";
import { createExecServerEnvironment } from "@codex/exec-server";
import { toAbsolutePath } from "@codex/protocol";
import { afterAll, beforeAll, describe } from "vitest";
import { wires } from "./connections.ts";

describe.each(wires)("exec-server.v0", (name, connect) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = createExecServerEnvironment(await connect({ dialect: "v0" }), {
      name: "far",
      cwd: toAbsolutePath("/"),
    });
  });
  afterAll(() => environment[Symbol.asyncDispose]());

  describeFileSystem(`exec-server.v0 over ${name}`, async () => {
    const { root, [Symbol.asyncDispose]: removeRoot } = await openLocalSubject();
    return {
      ...diskFixtures,
      root,
      fileSystem: environment.fileSystem,
      offers: {
        canonicalize: false,
        rename: false,
        fileMode: false,
        fileSize: false,
        linkMetadata: false,
        atomicWrite: false,
        sandbox: false,
      },
      [Symbol.asyncDispose]: () => removeRoot(),
    };
  });
});
