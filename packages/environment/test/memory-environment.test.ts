import {
  createMemoryEnvironment,
  describeEnvironment,
  memoryPrograms,
} from "@codex/environment/testing";
import { toAbsolutePath } from "@codex/protocol";

describeEnvironment("in memory", async () => {
  const environment = createMemoryEnvironment({ cwd: "/work", programs: memoryPrograms });
  return {
    environment,
    root: toAbsolutePath("/work"),
    [Symbol.asyncDispose]: () => environment[Symbol.asyncDispose](),
  };
});
