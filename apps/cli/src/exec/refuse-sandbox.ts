import type { SandboxIntent } from "@codex/protocol";
import { StartError } from "../start-error.ts";

/** There is no sandbox yet: a run that asks for one must not start without it. Goes away with the sandbox. */
export function refuseSandbox({ mode }: SandboxIntent): void {
  if (mode === "danger-full-access") return;
  throw new StartError(
    `The sandbox mode is ${mode}, and this version cannot enforce it yet. Two ways on, both without a sandbox:
  - give the option: -s danger-full-access
  - set the key in config.toml: sandbox_mode = "danger-full-access"`,
  );
}
