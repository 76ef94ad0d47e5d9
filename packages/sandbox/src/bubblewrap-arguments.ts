import type { SandboxIntent } from "@codex/protocol";
import type { WritableRoot } from "./writable-roots.ts";

export interface BubblewrapOptions {
  readonly intent: Exclude<SandboxIntent, { readonly mode: "danger-full-access" }>;
  /** Parents before children. */
  readonly roots: readonly WritableRoot[];
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Makes the program the leader of a session whose terminal is its standard input. */
  readonly isTerminal: boolean;
  /** Descriptors the caller gives to bubblewrap. */
  readonly statusDescriptor: number;
  readonly seccompDescriptor: number | undefined;
}

/**
 * The arguments after `bwrap`. Later mounts win, so the order is the policy: everything read-only, then the writable
 * roots, then what stays protected in them, then roots that lie inside a protected path. Without `--unshare-user`
 * and `--cap-drop ALL` root could remount its way out.
 */
export function bubblewrapArguments(options: BubblewrapOptions): string[] {
  const { intent, roots, argv, cwd, isTerminal, statusDescriptor, seccompDescriptor } = options;
  const command = isTerminal ? ["setsid", "-c", ...argv] : argv;
  return [
    ...everythingReadOnly,
    ...mounts(roots),
    ...ownNamespaces,
    ...(intent.networkAccess ? [] : ["--unshare-net"]),
    ...noWayOut,
    ...(seccompDescriptor === undefined ? [] : ["--seccomp", String(seccompDescriptor)]),
    "--json-status-fd",
    String(statusDescriptor),
    "--chdir",
    cwd,
    "--",
    ...command,
  ];
}

const everythingReadOnly = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];
const ownNamespaces = ["--unshare-user", "--unshare-pid", "--unshare-ipc"];
const noWayOut = ["--cap-drop", "ALL", "--die-with-parent"];

function mounts(roots: readonly WritableRoot[]): string[] {
  const args: string[] = [];
  for (const { path, protectedPaths, missingPaths } of roots) {
    args.push("--bind", path, path);
    for (const kept of protectedPaths) args.push("--ro-bind", kept, kept);
    for (const missing of missingPaths) args.push("--tmpfs", missing, "--remount-ro", missing);
  }
  return args;
}
