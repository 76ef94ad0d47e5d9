import type { AbsolutePath, SandboxIntent } from "@codex/protocol";

/** What the model is told about what its commands may do; it can never ask for more in a headless run. */
export function permissionsText(sandbox: SandboxIntent, cwd: AbsolutePath): string {
  const lines = [
    `Filesystem sandboxing: \`sandbox_mode\` is \`${sandbox.mode}\`: ${modeText[sandbox.mode]}`,
    ...writableRootsText(sandbox, cwd),
    `Network access is ${hasNetwork(sandbox) ? "enabled" : "restricted"}.`,
    "Approval policy is `never`: nobody can be asked, so do not request escalated permissions; find another way inside the limits or report what is missing.",
  ];
  return `<permissions instructions>\n${lines.join("\n")}\n</permissions instructions>`;
}

const modeText: Record<SandboxIntent["mode"], string> = {
  "read-only": "commands may read files; every write is denied.",
  "workspace-write": "commands may read files everywhere and write only below the writable roots.",
  "danger-full-access": "commands run without a sandbox.",
};

function hasNetwork(sandbox: SandboxIntent): boolean {
  return sandbox.mode === "danger-full-access" || sandbox.networkAccess;
}

function writableRootsText(sandbox: SandboxIntent, cwd: AbsolutePath): string[] {
  if (sandbox.mode !== "workspace-write") return [];
  const roots = sandbox.writableRoots.length > 0 ? sandbox.writableRoots : [cwd];
  const named = roots.map((root) => `\`${root}\``).join(", ");
  return [
    roots.length === 1 ? `The writable root is ${named}.` : `The writable roots are ${named}.`,
  ];
}
