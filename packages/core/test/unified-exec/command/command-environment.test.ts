import { fullAccess } from "@codex/protocol";
import { expect, test } from "vitest";
import { commandEnvironment } from "../../../src/unified-exec/command/command-environment.ts";

const shellEnvironmentPolicy = {
  inherit: "core",
  ignoreDefaultExcludes: false,
  exclude: ["A*"],
  set: { TERM: "xterm" },
  includeOnly: ["PATH"],
} as const;

const overlay = {
  NO_COLOR: "1",
  TERM: "dumb",
  LANG: "C.UTF-8",
  LC_CTYPE: "C.UTF-8",
  LC_ALL: "C.UTF-8",
  COLORTERM: "",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GH_PAGER: "cat",
  CODEX_CI: "1",
  CODEX_THREAD_ID: "thread-1",
};

test("unified-exec.md 8: the policy stays as it is, and exactly these variables are laid over it", () => {
  expect(
    commandEnvironment({ shellEnvironmentPolicy, threadId: "thread-1", sandbox: fullAccess }),
  ).toEqual({ ...shellEnvironmentPolicy, overlay });
});

test.each([
  [false, { ...overlay, CODEX_SANDBOX_NETWORK_DISABLED: "1" }],
  [true, overlay],
])("unified-exec.md 8: a sandbox with network %s says so", (networkAccess, expected) => {
  const sandbox = { mode: "read-only", networkAccess } as const;
  expect(
    commandEnvironment({ shellEnvironmentPolicy, threadId: "thread-1", sandbox }).overlay,
  ).toEqual(expected);
});
