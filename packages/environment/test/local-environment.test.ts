import { createLocalEnvironment } from "@codex/environment";
import { describeEnvironment, openLocalSubject } from "@codex/environment/testing";

describeEnvironment("local", async () => {
  const { root, [Symbol.asyncDispose]: removeRoot } = await openLocalSubject();
  const environment = createLocalEnvironment({ cwd: root, variables: process.env });
  return {
    environment,
    root,
    async [Symbol.asyncDispose]() {
      await environment[Symbol.asyncDispose]();
      await removeRoot();
    },
  };
});
