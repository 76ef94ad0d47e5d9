export { bubblewrapArguments, type BubblewrapOptions } from "./bubblewrap-arguments.ts";
export { findBubblewrap, missingBubblewrapMessage } from "./find-bubblewrap.ts";
export { Leftovers } from "./leftovers.ts";
export { parseSandboxStatus, type SandboxStatus } from "./sandbox-status.ts";
export {
  isSeccompArchitecture,
  type SeccompArchitecture,
  seccompProgram,
} from "./seccomp-program.ts";
export {
  protectedNames,
  type ResolvedRoots,
  resolveWritableRoots,
  type WritableRoot,
} from "./writable-roots.ts";
