import { expect, test } from "vitest";
import { resolveSandbox, type SandboxSettings } from "../../src/config/sandbox-policy.ts";

const plain: SandboxSettings = {
  mode: undefined,
  hasTrustDecision: false,
  cwd: "/work",
  addDirs: [],
  workspaceWrite: {
    writableRoots: [],
    networkAccess: false,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: false,
  },
};
const workspaceWrite = {
  mode: "workspace-write",
  writableRoots: ["/work"],
  includeSlashTmp: true,
  includeTmpdir: true,
  networkAccess: false,
};

test.each<[string, Partial<SandboxSettings>, unknown]>([
  ["nothing asked for is read-only", {}, { mode: "read-only", networkAccess: false }],
  ["a trust decision makes it workspace-write", { hasTrustDecision: true }, workspaceWrite],
  [
    "a mode beats the trust decision",
    { mode: "read-only", hasTrustDecision: true },
    { mode: "read-only", networkAccess: false },
  ],
  [
    "full access has no further fields",
    { mode: "danger-full-access", addDirs: ["/x"] },
    { mode: "danger-full-access" },
  ],
  [
    "--add-dir has no effect under read-only",
    { addDirs: ["/x"] },
    { mode: "read-only", networkAccess: false },
  ],
  [
    "roots are the cwd, the configured ones, the added ones; each once",
    {
      mode: "workspace-write",
      addDirs: ["../side", "/data", "."],
      workspaceWrite: { ...plain.workspaceWrite, writableRoots: ["/data"] },
    },
    { ...workspaceWrite, writableRoots: ["/work", "/data", "/side"] },
  ],
  [
    "the switches of the table",
    {
      mode: "workspace-write",
      workspaceWrite: {
        writableRoots: [],
        networkAccess: true,
        excludeTmpdirEnvVar: true,
        excludeSlashTmp: true,
      },
    },
    { ...workspaceWrite, includeSlashTmp: false, includeTmpdir: false, networkAccess: true },
  ],
])("config.md 11: %s", (_, settings, expected) => {
  expect(resolveSandbox({ ...plain, ...settings })).toEqual(expected);
});
