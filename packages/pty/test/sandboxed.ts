import { realpathSync } from "node:fs";
import { createBubblewrapWrap, type SandboxWrap } from "@codex/pty";
import { type AbsolutePath, type MachineFacts, type SandboxIntent } from "@codex/protocol";
import { findBubblewrap } from "@codex/sandbox";

export const bubblewrapHere = findBubblewrap(process.env["PATH"]);

/** Writes in `/tmp` and nowhere else, no network. */
export const scratchOnly: SandboxIntent = {
  mode: "workspace-write",
  writableRoots: [],
  includeSlashTmp: true,
  includeTmpdir: false,
  networkAccess: false,
};

/** Enough of this machine for roots without protected names in them. */
const plainFacts: MachineFacts = {
  temporaryDirectory: undefined,
  realPath: (path) => realpathSync(path) as AbsolutePath,
  kindOf: () => undefined,
  gitDirectoryOf: () => undefined,
};

export function wrapHere(
  changes: Partial<Parameters<typeof createBubblewrapWrap>[0]> = {},
): SandboxWrap {
  return createBubblewrapWrap({
    machine: plainFacts,
    searchPath: process.env["PATH"],
    platform: process.platform,
    architecture: process.arch,
    ...changes,
  });
}
