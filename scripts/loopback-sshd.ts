import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";

/** What is missing for a real sshd on loopback, or undefined. */
export function missingForSshd(): string | undefined {
  if (process.getuid?.() !== 0) return "sshd on loopback needs root";
  return existsSync("/usr/sbin/sshd") && existsSync("/usr/bin/ssh-keygen")
    ? undefined
    : "no sshd (openssh-server)";
}

export interface LoopbackSshd extends AsyncDisposable {
  /** Options for `ssh` that lead there without a question. */
  readonly sshOptions: readonly string[];
}

/** A real sshd on a free port of 127.0.0.1, with keys of its own in `folder`; its commands see `path` as PATH. */
export async function startLoopbackSshd(folder: string, path: string): Promise<LoopbackSshd> {
  const port = await freePort();
  const at = (name: string): string => join(folder, name);
  for (const key of ["host", "client"])
    await promisify(execFile)("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at(key)]);
  await copyFile(at("client.pub"), at("authorized"));
  await mkdir("/run/sshd", { recursive: true });
  await writeFile(at("sshd_config"), configuration({ port, at, path }));
  const server = spawn("/usr/sbin/sshd", ["-D", "-e", "-f", at("sshd_config")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  await listening(server);
  const options = {
    StrictHostKeyChecking: "no",
    UserKnownHostsFile: "/dev/null",
    BatchMode: "yes",
    LogLevel: "ERROR",
  };
  const words = Object.entries(options).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  return {
    sshOptions: ["-F", "none", "-p", String(port), "-i", at("client"), ...words],
    async [Symbol.asyncDispose]() {
      server.kill();
      await ended;
    },
  };
}

interface SshdParts {
  readonly port: number;
  readonly at: (name: string) => string;
  readonly path: string;
}

function configuration({ port, at, path }: SshdParts): string {
  return `ListenAddress 127.0.0.1
Port ${port}
HostKey ${at("host")}
AuthorizedKeysFile ${at("authorized")}
PermitRootLogin yes
StrictModes no
UsePAM no
PidFile none
SetEnv PATH=${path}
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
