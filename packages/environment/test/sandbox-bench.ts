import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { chown, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createBubblewrapWrap, type SandboxWrap } from "@codex/pty";
import { type SandboxIntent, toAbsolutePath } from "@codex/protocol";
import { onTestFinished } from "vitest";
import {
  createLocalEnvironment,
  type Environment,
  exactEnvironment,
  type SpawnedProcess,
  type SpawnOptions,
} from "../src/index.ts";
import { localMachineFacts } from "../src/local-machine-facts.ts";

export const hasBubblewrap = spawnSync("bwrap", ["--version"]).status === 0;
export const hasProgram = (name: string): boolean =>
  spawnSync("sh", ["-c", `command -v ${name}`]).status === 0;

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

/** Who runs the sandboxed commands. */
export interface Identity {
  readonly title: string;
  readonly isOrdinary: boolean;
}

/** Root can be both; anybody else only is what they are. */
export const identities: readonly Identity[] = [
  ...(isRoot ? [{ title: "as root", isOrdinary: false }] : []),
  ...(!isRoot || hasProgram("setpriv") ? [{ title: "as an ordinary user", isOrdinary: true }] : []),
];

export interface SandboxBench {
  readonly environment: Environment;
  /** Holds `work`, which may be written, and `outside`. */
  readonly root: string;
  readonly sandbox: SandboxIntent;
  readonly start: (script: string, changes?: Partial<SpawnOptions>) => Promise<SpawnedProcess>;
  /** All output and the code of a script that ends by itself. */
  readonly run: (
    script: string,
    changes?: Partial<SpawnOptions>,
  ) => Promise<{ readonly output: string; readonly code: number }>;
}

/** A workspace with a repository in it and the environment to work in it; both gone after the test. */
export async function openSandboxBench(
  identity: Identity,
  writable: readonly string[] = ["work"],
): Promise<SandboxBench> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "sandbox-")));
  onTestFinished(() => rm(root, { recursive: true }));
  await mkdir(join(root, "work"));
  await mkdir(join(root, "outside"));
  await writeFile(join(root, "outside/file"), "untouched");
  spawnSync("git", ["init", "-q", join(root, "work")]);
  if (isRoot && identity.isOrdinary)
    for (const path of ["", ...readdirSync(root, { recursive: true }).map(String)])
      await chown(join(root, path), nobody, nobody);
  const environment = createLocalEnvironment({
    cwd: toAbsolutePath(join(root, "work")),
    variables: process.env,
    wrap: isRoot && identity.isOrdinary ? asNobody(plainWrap()) : plainWrap(),
  });
  onTestFinished(() => environment[Symbol.asyncDispose]());
  const sandbox: SandboxIntent = {
    mode: "workspace-write",
    writableRoots: writable.map((path) => join(root, path)),
    includeSlashTmp: false,
    includeTmpdir: false,
    networkAccess: false,
  };
  const start: SandboxBench["start"] = (script, changes) =>
    environment.start({
      argv: ["sh", "-c", script],
      cwd: join(root, "work"),
      env: exactEnvironment(variables),
      tty: false,
      stdin: "closed",
      sandbox,
      ...changes,
    });
  return { environment, root, sandbox, start, run: async (...how) => ended(await start(...how)) };
}

async function ended(process_: SpawnedProcess): Promise<{ output: string; code: number }> {
  await using process = process_;
  const pieces: Uint8Array[] = [];
  for await (const { bytes } of process.output) pieces.push(bytes);
  return { output: Buffer.concat(pieces).toString(), code: (await process.exit).code };
}

/** Settles when no process of this machine has `marker` in its command line: the kernel ends them in its own time. */
export async function gone(marker: string): Promise<void> {
  while (isRunning(marker)) await delay(10);
}

function isRunning(marker: string): boolean {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(marker);
      } catch {
        return false; // gone meanwhile
      }
    });
}

const variables = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  LC_ALL: "C",
  HOME: "/nonexistent",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@b",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@b",
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "safe.directory",
  GIT_CONFIG_VALUE_0: "*",
  NODE: process.execPath,
};

function plainWrap(): SandboxWrap {
  return createBubblewrapWrap({
    machine: localMachineFacts(undefined),
    searchPath: process.env["PATH"],
    platform: process.platform,
    architecture: process.arch,
  });
}

function asNobody(wrap: SandboxWrap): SandboxWrap {
  const identity = [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", "--"];
  return async (request) => {
    const command = await wrap(request);
    return {
      ...command,
      file: "/usr/bin/setpriv",
      args: [...identity, command.file, ...command.args],
    };
  };
}
