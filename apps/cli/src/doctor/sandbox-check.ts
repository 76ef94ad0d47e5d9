import { createLocalEnvironment } from "@codex/environment";
import { toAbsolutePath } from "@codex/protocol";
import { checkSandbox } from "../exec/check-sandbox.ts";
import type { Check } from "./check.ts";

/** Whether a command that must not write or reach the network can be started here. */
export const sandboxCheck: Check = {
  name: "sandbox",
  async run({ env: variables }) {
    await using environment = createLocalEnvironment({ cwd: toAbsolutePath("/"), variables });
    const sandbox = { mode: "read-only", networkAccess: false } as const;
    await checkSandbox(environment, sandbox, AbortSignal.timeout(timeoutMs));
    return { isGood: true, text: "commands can be held to a mode (bubblewrap and seccomp)" };
  },
};

const timeoutMs = 10_000;
