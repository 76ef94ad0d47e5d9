import { toAbsolutePath } from "@codex/protocol";
import { expect, test } from "vitest";
import { bubblewrapArguments, type BubblewrapOptions } from "../src/index.ts";

const readOnly: BubblewrapOptions = {
  argv: ["bash", "-c", "true"],
  cwd: "/w/sub",
  mounts: [],
  networkAccess: false,
  variables: {},
  newSession: true,
  statusDescriptor: 3,
  seccompDescriptor: 4,
};

const ownDevices =
  "--dev /dev --proc /proc --ro-bind-try /proc/sys /proc/sys " +
  "--ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger --ro-bind-try /proc/fs /proc/fs";

function line(changes: Partial<BubblewrapOptions>): string {
  return bubblewrapArguments({ ...readOnly, ...changes }).join(" ");
}

test("FEASIBILITY 4.2: everything read-only, own devices and processes, no capability left", () => {
  expect(line({})).toBe(
    `--ro-bind / / ${ownDevices} --unshare-user --unshare-pid --unshare-ipc --unshare-net ` +
      "--cap-drop ALL --die-with-parent --new-session --seccomp 4 --json-status-fd 3 --chdir /w/sub -- bash -c true",
  );
});

test("FEASIBILITY 4.2: roots, what is protected in them and covers for what is missing, in the order given", () => {
  expect(
    line({
      mounts: [
        { path: toAbsolutePath("/w"), access: "write" },
        { path: toAbsolutePath("/w/.git"), access: "read" },
        { path: toAbsolutePath("/w/.codex"), access: "nothing" },
      ],
    }),
  ).toContain(
    "/proc/fs --bind /w /w --ro-bind /w/.git /w/.git --ro-bind /w/.codex /w/.codex --unshare-user",
  );
});

test("when / itself is writable, the machine's devices and processes are still covered", () => {
  expect(line({ mounts: [{ path: toAbsolutePath("/"), access: "write" }] })).toMatch(
    new RegExp(`^--ro-bind / / --bind / / ${ownDevices} --unshare-user`),
  );
});

test("FEASIBILITY 4.3: on a terminal there is no new session, which would take job control away", () => {
  expect(line({ newSession: false })).not.toContain("--new-session");
});

test("network access keeps the network; variables for the command alone are set inside", () => {
  const args = line({ networkAccess: true, variables: { LD_PRELOAD: "/w/lib.so" } });
  expect(args).not.toContain("--unshare-net");
  expect(args).toContain("--setenv LD_PRELOAD /w/lib.so");
});
