import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryDirectory } from "./temporary-directory.ts";

/** What is missing for a real sshd on loopback, or undefined. */
export function missingForSsh(): string | undefined {
  if (process.getuid?.() !== 0) return "sshd on loopback needs root";
  return ["/usr/sbin/sshd", "/usr/bin/ssh-keygen", "/usr/bin/ssh"].every((file) => existsSync(file))
    ? undefined
    : "no sshd (openssh-server)";
}

export interface SshServerOptions {
  /** PATH of its commands. */
  readonly path: string;
  /** Where it listens; default 127.0.0.1. */
  readonly address?: string;
  /** Program and arguments that start it, for one in namespaces of its own; default: those of sshd itself. */
  readonly startedBy?: (command: readonly string[]) => readonly string[];
}

/** A real sshd on this machine. Disposing ends it and removes its keys. */
export interface SshServer extends AsyncDisposable {
  /** Options for `ssh` that lead there without a question. */
  readonly options: readonly string[];
  /** Program and arguments that run a command line there. */
  command(line: string): string[];
}

/** On a free port, with host and client keys of its own. Its commands have a home of their own too: no start file of this machine runs. */
export async function startSshServer(options: SshServerOptions): Promise<SshServer> {
  const { path, address = "127.0.0.1", startedBy = (command) => command } = options;
  const folder = await temporaryDirectory();
  const at = (name: string): string => join(folder.path, name);
  const port = await freePort();
  for (const key of ["host", "client"])
    await promisify(execFile)("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at(key)]);
  await copyFile(at("client.pub"), at("authorized"));
  await mkdir("/run/sshd", { recursive: true });
  await writeFile(at("sshd_config"), configuration({ address, port, at, path }));
  const [program = "", ...args] = startedBy([
    "/usr/sbin/sshd",
    "-D",
    "-e",
    "-f",
    at("sshd_config"),
  ]);
  const server = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  await listening(server);
  const words = clientOptions(port, at("client"));
  return {
    options: words,
    command: (line) => ["ssh", ...words, `root@${address}`, line],
    async [Symbol.asyncDispose]() {
      server.kill();
      await ended;
      await folder[Symbol.asyncDispose]();
    },
  };
}

function clientOptions(port: number, key: string): string[] {
  const options = {
    StrictHostKeyChecking: "no",
    UserKnownHostsFile: "/dev/null",
    IdentitiesOnly: "yes",
    BatchMode: "yes",
    LogLevel: "ERROR",
  };
  const words = Object.entries(options).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  return ["-F", "none", "-p", String(port), "-i", key, ...words];
}

interface SshParts {
  readonly address: string;
  readonly port: number;
  readonly at: (name: string) => string;
  readonly path: string;
}

function configuration({ address, port, at, path }: SshParts): string {
  return `ListenAddress ${address}
Port ${port}
HostKey ${at("host")}
AuthorizedKeysFile ${at("authorized")}
PermitRootLogin yes
StrictModes no
UsePAM no
MaxStartups 100
PidFile none
SetEnv PATH=${path} HOME=${at("")}
`;
}

function listening({ stderr, exitCode }: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("Server listening")) resolve();
    });
    stderr?.once("end", () => reject(new Error(`sshd ended with ${exitCode}: ${said}`)));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
