import { createLocalEnvironment } from "@codex/environment";
import { toAbsolutePath } from "@codex/protocol";
import { checkSandbox } from "../exec/check-sandbox.ts";
import type { Check } from "./check.ts";

/** Whether a command that must not write or reach the network can be started here. */
export const sandboxCheck: Check = {
  name: "sandbox",
  async run({ context: { env: variables }, signal }) {
    await using environment = createLocalEnvironment({ cwd: toAbsolutePath("/"), variables });
    const sandbox = { mode: "read-only", networkAccess: false } as const;
    await checkSandbox(environment, sandbox, signal);
    return { isGood: true, text: "commands can be held to a mode (bubblewrap and seccomp)" };
  },
};
