import { spawnSync } from "node:child_process";
import type { AbsolutePath, MachineFacts, SandboxIntent } from "@codex/protocol";
import { expect, test } from "vitest";
import type { Command } from "../src/command.ts";
import { createRuntimeWrap, type RuntimeSettings } from "../src/sandbox-runtime.ts";

const machine: MachineFacts = {
  temporaryDirectory: undefined,
  realPath: (path: AbsolutePath) => path,
  kindOf: () => "directory",
  gitDirectoryOf: () => undefined,
};
const plain: Command = {
  file: "x",
  args: [],
  cwd: "/w",
  env: {},
  ownSession: true,
  descriptors: [],
};
const intent = {
  mode: "workspace-write",
  writableRoots: ["/w"],
  includeSlashTmp: false,
  includeTmpdir: false,
  networkAccess: false,
} satisfies SandboxIntent;

test("the package gets the same rules as bubblewrap, and every word of the command as it is", async () => {
  const seen: RuntimeSettings[] = [];
  const wrap = createRuntimeWrap({
    machine,
    load: async () => ({
      SandboxManager: {
        initialize: async (settings) => void seen.push(settings),
        wrapWithSandbox: async (line, _shell, settings) => {
          seen.push(settings);
          return line;
        },
      },
    }),
  });
  const argv = ["printf", "%s\\n", "it's", "$HOME `x`", ""];
  const { file, args } = await wrap({ argv, plain, intent, isTerminal: false });
  expect(spawnSync(file, args).stdout.toString()).toBe("it's\n$HOME `x`\n\n");
  expect(seen.map(({ network, filesystem }) => [network.allowedDomains, filesystem])).toEqual([
    [[], { denyRead: [], allowWrite: [], denyWrite: [] }],
    [[], { denyRead: [], allowWrite: ["/w"], denyWrite: ["/w/.git", "/w/.codex", "/w/.agents"] }],
  ]);
});

test("without the package, and with network access, it is refused with the way on", async () => {
  const wrap = createRuntimeWrap({ machine, load: () => Promise.reject(new Error("not there")) });
  const request = { argv: ["true"], plain, isTerminal: false };
  await expect(wrap({ ...request, intent })).rejects.toMatchObject({
    kind: "sandboxUnavailable",
    message: expect.stringMatching(/sandbox-runtime@0\.0\.78.*not there.*-s danger-full-access/),
  });
  const open = { ...intent, networkAccess: true };
  await expect(wrap({ ...request, intent: open })).rejects.toMatchObject({
    kind: "sandboxUnavailable",
  });
});
