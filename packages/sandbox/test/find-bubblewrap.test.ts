import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  findBubblewrap,
  Leftovers,
  missingBubblewrapMessage,
  parseSandboxStatus,
} from "../src/index.ts";
import { existsSync, mkdirSync } from "node:fs";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "bwrap-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("bwrap is found on an absolute PATH entry only, and only when it can be run", () => {
  const bin = folder();
  writeFileSync(join(bin, "bwrap"), "");
  expect(findBubblewrap(bin)).toBeUndefined();
  chmodSync(join(bin, "bwrap"), 0o755);
  expect(findBubblewrap(`relative::/nowhere:${bin}`)).toBe(join(bin, "bwrap"));
  expect(findBubblewrap(undefined)).toBeUndefined();
});

test.each([
  ["ID=debian\n", "apt-get install bubblewrap"],
  ["ID=linuxmint\nID_LIKE=ubuntu\n", "apt-get install bubblewrap"],
  ["ID=fedora\n", "dnf install bubblewrap"],
  ["ID=nobody-knows\n", "the package is called bubblewrap"],
])("the message for a machine with %j names the fix and the other way on", (release, fix) => {
  const message = missingBubblewrapMessage("linux", release);
  expect(message).toContain(fix);
  expect(message).toContain("-s danger-full-access");
});

test("FEASIBILITY 4.3: a status without exit code means the command never ran", () => {
  expect(parseSandboxStatus('{ "child-pid": 12 }\n{ "exit-code": 3 }\n')).toEqual({
    childPid: 12,
    exitCode: 3,
  });
  expect(parseSandboxStatus('{ "child-pid": 12 }\n')).toEqual({
    childPid: 12,
    exitCode: undefined,
  });
  expect(parseSandboxStatus("")).toEqual({ childPid: undefined, exitCode: undefined });
});

test("a mount point that was left behind goes with its last user; what was there or was filled stays", () => {
  const root = folder();
  const [missing, filled, there] = [
    join(root, ".git"),
    join(root, ".codex"),
    join(root, ".agents"),
  ];
  mkdirSync(there);
  const leftovers = new Leftovers();
  const first = leftovers.hold([missing, filled, there]);
  mkdirSync(missing);
  mkdirSync(filled);
  const second = leftovers.hold([missing]);
  writeFileSync(join(filled, "mine"), "");
  first();
  first();
  expect([missing, filled, there].map((path) => existsSync(path))).toEqual([true, true, true]);
  second();
  expect([missing, filled, there].map((path) => existsSync(path))).toEqual([false, true, true]);
});
