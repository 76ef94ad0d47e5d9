import { createLocalEnvironment, defaultTerminalSize, exactEnvironment } from "@codex/environment";
import { fullAccess, toAbsolutePath } from "@codex/protocol";
import type { Check } from "./check.ts";

/** Whether a command can have a terminal here: one is opened, and asked whether it is one. */
export const terminalCheck: Check = {
  name: "terminal",
  async run({ context: { env: variables }, signal }) {
    await using environment = createLocalEnvironment({ cwd: toAbsolutePath("/"), variables });
    const options = {
      argv: ["/bin/sh", "-c", "test -t 0 && test -t 1"],
      cwd: "/",
      env: exactEnvironment({ PATH: "/usr/bin:/bin" }),
      tty: defaultTerminalSize,
      stdin: "closed",
      sandbox: fullAccess,
    } as const;
    await using process = await environment.start(options, signal);
    const { code } = await process.exit;
    return code === 0
      ? { isGood: true, text: "commands can have a terminal" }
      : { isGood: false, text: "a terminal was opened, but a command on it does not see one" };
  },
};
