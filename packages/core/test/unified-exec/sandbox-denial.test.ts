import { fullAccess, type SandboxIntent } from "@codex/protocol";
import { expect, test } from "vitest";
import { isSandboxDenial } from "../../src/unified-exec/sandbox-denial.ts";

const readOnly: SandboxIntent = { mode: "read-only", networkAccess: false };

test.each([
  ["touch: cannot touch 'x': Read-only file system", { code: 1 }, true],
  ["bash: ./x: Permission denied", { code: 126 }, true],
  ["Operation not permitted", { code: 2 }, true],
  ["bad system call (seccomp)", { code: 1 }, true],
  ["no such option", { code: 2 }, false],
  ["not executable", { code: 126 }, false],
  ["command not found", { code: 127 }, false],
  ["assertion failed", { code: 1 }, false],
  ["", { code: 159 }, true],
  ["", { code: 140, signal: "SIGSYS" }, true],
  ["", { code: 1, sandboxDenied: true }, true],
  ["Permission denied", { code: 1, sandboxDenied: false }, true],
  ["Permission denied, but it went on", { code: 0 }, false],
])("unified-exec.md 11: in a sandbox, %j with %o is a denial: %s", (output, exit, expected) => {
  expect(isSandboxDenial(readOnly, exit, output)).toBe(expected);
});

test("unified-exec.md 11: without a sandbox nothing is a denial", () => {
  expect(isSandboxDenial(fullAccess, { code: 1, sandboxDenied: true }, "Permission denied")).toBe(
    false,
  );
});
