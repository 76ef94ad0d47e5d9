import type { ProcessExit } from "@codex/environment";
import type { SandboxIntent } from "@codex/protocol";

const denialTexts = [
  "operation not permitted",
  "permission denied",
  "read-only file system",
  "seccomp",
  "sandbox",
  "landlock",
  "failed to write file",
];

/** Wrong usage, not executable, not found: what a shell says by itself. */
const shellErrorCodes = new Set([2, 126, 127]);

/**
 * Whether a command that failed was most likely stopped by its sandbox. A guess from the outside (what the executor
 * says for certain goes first), so it never replaces the command's own output.
 */
export function isSandboxDenial(
  sandbox: SandboxIntent,
  exit: ProcessExit,
  output: string,
): boolean {
  if (sandbox.mode === "danger-full-access" || exit.code === 0) return false;
  if (exit.sandboxDenied === true) return true;
  const lowerCase = output.toLowerCase();
  if (denialTexts.some((text) => lowerCase.includes(text))) return true;
  if (shellErrorCodes.has(exit.code)) return false;
  return exit.signal === "SIGSYS" || exit.code === linuxSigsysCode;
}

/** 128 + 31, how a shell reports a child ended by seccomp. */
const linuxSigsysCode = 159;
