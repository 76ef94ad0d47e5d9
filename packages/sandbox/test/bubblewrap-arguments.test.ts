import { expect, test } from "vitest";
import { bubblewrapArguments } from "../src/index.ts";

test("FEASIBILITY 4.2: everything read-only, roots over it, protected paths over the roots, no capability left", () => {
  const args = bubblewrapArguments({
    intent: {
      mode: "workspace-write",
      writableRoots: ["/w"],
      includeSlashTmp: true,
      includeTmpdir: false,
      networkAccess: false,
    },
    roots: [{ path: "/w", protectedPaths: ["/w/.git"], missingPaths: ["/w/.codex"] }],
    argv: ["bash", "-c", "true"],
    cwd: "/w/sub",
    isTerminal: false,
    statusDescriptor: 3,
    seccompDescriptor: 4,
  });
  expect(args.join(" ")).toBe(
    "--ro-bind / / --dev /dev --proc /proc --bind /w /w --ro-bind /w/.git /w/.git --tmpfs /w/.codex --remount-ro /w/.codex " +
      "--unshare-user --unshare-pid --unshare-ipc --unshare-net --cap-drop ALL --die-with-parent " +
      "--seccomp 4 --json-status-fd 3 --chdir /w/sub -- bash -c true",
  );
});

test("FEASIBILITY 4.3: a terminal's program leads its own session inside; network access keeps the network", () => {
  const args = bubblewrapArguments({
    intent: { mode: "read-only", networkAccess: true },
    roots: [],
    argv: ["vi"],
    cwd: "/",
    isTerminal: true,
    statusDescriptor: 3,
    seccompDescriptor: undefined,
  });
  expect(args.join(" ")).toBe(
    "--ro-bind / / --dev /dev --proc /proc --unshare-user --unshare-pid --unshare-ipc --cap-drop ALL --die-with-parent " +
      "--json-status-fd 3 --chdir / -- setsid -c vi",
  );
});
