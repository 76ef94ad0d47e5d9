import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findBubblewrap, missingBubblewrapMessage } from "../src/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

test("bwrap is found on an absolute PATH entry only, and only when it can be run", () => {
  const bin = temporaryFolder();
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

test("on another system the message does not tell people to install it", () => {
  expect(missingBubblewrapMessage("darwin")).toBe(
    "the sandbox needs bubblewrap (`bwrap`), which exists for Linux only. " +
      'Run without a sandbox: `-s danger-full-access`, or `sandbox_mode = "danger-full-access"` in config.toml.',
  );
});
