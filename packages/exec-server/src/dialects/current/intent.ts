import { type SandboxIntent } from "@codex/protocol";
import type { GrantedExtensions } from "./extensions.ts";
import { toSandboxIntent } from "./sandbox.ts";
import { invalidParams } from "./server-errors.ts";

interface Restricted {
  readonly sandbox?: Readonly<Record<string, unknown>> | null | undefined;
  readonly sandboxIntent?: SandboxIntent | undefined;
}

/** What a call may do, said in the original's way or in ours; never both. */
export function intentOf(
  { sandbox, sandboxIntent }: Restricted,
  extensions: GrantedExtensions,
): SandboxIntent {
  extensions.check([["sandboxIntent", sandboxIntent, "sandboxIntent"]]);
  if (sandboxIntent === undefined) return toSandboxIntent(sandbox);
  if (sandbox == null) return sandboxIntent;
  throw invalidParams("fields `sandbox` and `sandboxIntent` exclude each other");
}
