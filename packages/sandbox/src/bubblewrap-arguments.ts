import type { Mount } from "./mounts.ts";

export interface BubblewrapOptions {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** In order: later ones win. */
  readonly mounts: readonly Mount[];
  readonly networkAccess: boolean;
  /** For the command only, not for bubblewrap. */
  readonly variables: Readonly<Record<string, string>>;
  /** Gives the command a session of its own, led by bubblewrap's first process. Not on a terminal: it could never become the command's. */
  readonly newSession: boolean;
  /** Descriptors the caller gives to bubblewrap. */
  readonly statusDescriptor: number;
  readonly seccompDescriptor: number;
}

/**
 * The arguments after `bwrap`. Everything is read-only but what `mounts` opens again. Without `--unshare-user` and
 * `--cap-drop ALL` root could remount its way out.
 */
export function bubblewrapArguments(options: BubblewrapOptions): string[] {
  const isWhole = ({ path }: Mount): boolean => path === "/";
  return [
    "--ro-bind",
    "/",
    "/",
    ...options.mounts.filter(isWhole).flatMap(mountArguments),
    ...ownDevices,
    ...options.mounts.filter((mount) => !isWhole(mount)).flatMap(mountArguments),
    ...ownNamespaces,
    ...(options.networkAccess ? [] : ["--unshare-net"]),
    ...noWayOut,
    ...(options.newSession ? ["--new-session"] : []),
    ...Object.entries(options.variables).flatMap(([name, value]) => ["--setenv", name, value]),
    "--seccomp",
    String(options.seccompDescriptor),
    "--json-status-fd",
    String(options.statusDescriptor),
    "--chdir",
    options.cwd,
    "--",
    ...options.argv,
  ];
}

/** After the whole file system: the machine's own terminals and processes stay out of reach even when `/` is a root. */
const ownDevices = [
  "--dev",
  "/dev",
  "--proc",
  "/proc",
  // What bubblewrap 0.8 leaves writable for root there: the kernel's settings, of the whole machine.
  ...["sys", "sysrq-trigger", "fs"].flatMap((name) => [
    "--ro-bind-try",
    `/proc/${name}`,
    `/proc/${name}`,
  ]),
];
const ownNamespaces = ["--unshare-user", "--unshare-pid", "--unshare-ipc"];
const noWayOut = ["--cap-drop", "ALL", "--die-with-parent"];

function mountArguments({ path, access }: Mount): string[] {
  return [access === "write" ? "--bind" : "--ro-bind", path, path];
}
