export { bubblewrapArguments, type BubblewrapOptions } from "./bubblewrap-arguments.ts";
export { findBubblewrap, missingBubblewrapMessage } from "./find-bubblewrap.ts";
export { type HeldCovers, Leftovers } from "./leftovers.ts";
export { type Mount, mountsFor } from "./mounts.ts";
export { parseSandboxStatus, type SandboxStatus } from "./sandbox-status.ts";
export {
  isSeccompArchitecture,
  type SeccompArchitecture,
  seccompProgram,
} from "./seccomp-program.ts";
