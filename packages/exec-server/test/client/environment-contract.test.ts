import { describeEnvironment, openLocalSubject } from "@codex/environment/testing";
import { createExecServerEnvironment } from "@codex/exec-server";
import { connections } from "./connections.ts";

for (const [name, connect] of connections)
  describeEnvironment(`exec-server.v0 over ${name}`, async () => {
    const { root, [Symbol.asyncDispose]: removeRoot } = await openLocalSubject();
    const environment = createExecServerEnvironment(await connect({ dialect: "v0" }), {
      name: "far",
      cwd: root,
    });
    return {
      environment,
      root,
      async [Symbol.asyncDispose]() {
        await environment[Symbol.asyncDispose]();
        await removeRoot();
      },
    };
  });
