import {
  type ChildProcess,
  execFile,
  type SpawnOptions,
  spawn,
  spawnSync,
} from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { within } from "@codex/test-support";

const namespaces = ["--net", "--mount", "--pid"] as const;

/** What is missing for hosts of one's own on this machine, or undefined. */
export function missingForHosts(): string | undefined {
  if (process.getuid?.() !== 0) return "namespaces need root";
  const probe = ["ip", "link", "add", "probe0", "type", "veth", "peer", "name", "probe1"];
  const { status, error, stderr } = spawnSync("unshare", [...namespaces, "--fork", ...probe]);
  if (error !== undefined) return `no unshare (util-linux): ${error.message}`;
  return status === 0 ? undefined : `no namespaces or no iproute2: ${String(stderr).trim()}`;
}

/**
 * Something like a machine: network, mounts and processes are its own; files that nothing is mounted over are this
 * machine's. Disposing ends every process in it, and with them all the rest is gone.
 */
export interface Host extends AsyncDisposable {
  /** Program and arguments that run a command in it. */
  command(command: readonly string[]): readonly string[];
  /** Runs a line of shell in it to its end; its output. Rejects when it fails. */
  run(line: string): Promise<string>;
  /** A process in it that says a line once it is up, and that line; ends with the host. */
  start(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  /** Number of the process its namespaces hang on. */
  readonly pid: number;
}

/** Its first process; the host ends when that has nothing more to read, also with the test that made it. */
const keeper = `
read -r pid rest < /proc/self/stat
mount -t proc proc /proc
ip link set lo up
echo "$pid"
exec cat`;

export async function startHost(): Promise<Host> {
  const args = [...namespaces, "--fork", "--kill-child", "sh", "-ec", keeper];
  const child = spawn("unshare", args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const pid = Number(await firstLine(child, "a host"));
  const enter = ["nsenter", "--target", `${pid}`, ...namespaces, "--"];
  const host: Host = {
    pid,
    command: (command) => [...enter, ...command],
    async run(line) {
      const [program = "", ...rest] = host.command(["sh", "-ec", line]);
      return (await promisify(execFile)(program, rest, { timeout: 10_000 })).stdout;
    },
    async start(command, env = {}) {
      const [program = "", ...rest] = host.command(command);
      const options: SpawnOptions = {
        env: { ...process.env, ...env },
        stdio: ["ignore", "pipe", "ignore"],
      };
      return firstLine(spawn(program, rest, options), command.join(" "));
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await within(ended, "the end of a host");
    },
  };
  return host;
}

/** Two hosts, a cable between them and nothing else: neither reaches this machine's network. */
export interface TwoHosts extends AsyncDisposable {
  readonly near: Host;
  readonly far: Host;
  /** Where the near one finds the far one. */
  readonly address: string;
}

export async function startTwoHosts(): Promise<TwoHosts> {
  const [near, far] = await Promise.all([startHost(), startHost()]);
  // By this machine's process numbers, but made in the near host's network: it is never seen outside.
  const cable = ["link", "add", "cable", "type", "veth", "peer", "name", "cable"];
  const ends = ["--target", `${near.pid}`, "--net", "ip", ...cable, "netns", `${far.pid}`];
  await promisify(execFile)("nsenter", ends);
  await near.run("ip address add 10.77.0.1/30 dev cable; ip link set cable up");
  await far.run("ip address add 10.77.0.2/30 dev cable; ip link set cable up");
  return {
    near,
    far,
    address: "10.77.0.2",
    async [Symbol.asyncDispose]() {
      await Promise.all([near[Symbol.asyncDispose](), far[Symbol.asyncDispose]()]);
    },
  };
}

async function firstLine({ stdout }: Pick<ChildProcess, "stdout">, what: string): Promise<string> {
  if (stdout === null) throw new Error(`${what} has no output to read`);
  const [line] = (await within(once(createInterface(stdout), "line"), what)) as [string];
  return line;
}
