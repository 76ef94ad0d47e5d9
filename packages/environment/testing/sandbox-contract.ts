import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Environment, exactEnvironment, isFileSystemError } from "@codex/environment";
import {
  type AbsolutePath,
  joinPath,
  protectedNames,
  type SandboxIntent,
  toAbsolutePath,
} from "@codex/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { type SandboxLayout, sandboxLayouts } from "./sandbox-layouts.ts";

/** Opens an environment whose files and processes are of this machine and that holds everything to `intent`. */
export type OpenSandboxed = (intent: SandboxIntent, cwd: AbsolutePath) => Promise<Environment>;

/**
 * What every side that enforces intents promises: file calls and commands may change the same paths and no others, and
 * nothing of the enforcement stays behind.
 */
export function describeSandbox(name: string, open: OpenSandboxed): void {
  describe(`sandbox: ${name}`, () => {
    for (const layout of sandboxLayouts) test(layout.title, () => check(layout, open));

    test("a command without network has no device but lo", async () => {
      const root = await layOut({ title: "", roots: [], changes: {} });
      const sandbox: SandboxIntent = { mode: "read-only", networkAccess: false };
      await using environment = await open(sandbox, root);
      const { code, text } = await run(environment, sandbox, "cat /proc/net/dev");
      const devices = text.match(/^\s*\w+(?=:)/gm)?.map((device) => device.trim());
      expect({ code, devices }).toEqual({ code: 0, devices: ["lo"] });
    });
  });
}

async function check(layout: SandboxLayout, open: OpenSandboxed): Promise<void> {
  const root = await layOut(layout);
  const sandbox = intentOf(layout, root);
  await using environment = await open(sandbox, root);
  const before = await protectedBelow(root);
  const answers: Record<string, string> = {};
  for (const change of Object.keys(layout.changes)) {
    const [verb = "", path = ""] = change.split(" ");
    const how = { environment, sandbox, path: joinPath(root, path) };
    const file = await changeByCall(verb, how);
    const command = await changeByCommand(verb, how);
    answers[change] = file === command ? file : `file call: ${file}, command: ${command}`;
  }
  expect(answers).toEqual(layout.changes);
  const after = await protectedBelow(root);
  expect(after.filter((path) => !before.includes(path) && !isAllowed(layout, path))).toEqual([]);
}

interface Change {
  readonly environment: Environment;
  readonly sandbox: SandboxIntent;
  readonly path: AbsolutePath;
}

async function changeByCall(verb: string, change: Change): Promise<string> {
  const { environment, sandbox, path } = change;
  const { fileSystem } = environment;
  try {
    if (verb === "remove")
      await fileSystem.remove(path, { sandbox, recursive: true, force: false });
    else {
      await fileSystem.createDirectory(joinPath(path, ".."), { sandbox, recursive: true });
      await fileSystem.writeFile(path, new TextEncoder().encode("call"), { sandbox });
    }
    return "done";
  } catch (error) {
    if (isFileSystemError(error, "sandboxDenied")) return "denied";
    throw error;
  }
}

async function changeByCommand(verb: string, change: Change): Promise<string> {
  const { environment, sandbox, path } = change;
  const script =
    verb === "remove"
      ? `rm -r '${path}'`
      : `mkdir -p '${joinPath(path, "..")}' && echo command > '${path}'`;
  const { code, text } = await run(environment, sandbox, script);
  if (code === 0) return "done";
  return /Read-only file system|Permission denied|Device or resource busy/.test(text)
    ? "denied"
    : `exit ${code}: ${text}`;
}

async function run(environment: Environment, sandbox: SandboxIntent, script: string) {
  await using process = await environment.start({
    argv: ["sh", "-c", script],
    cwd: "/",
    env: exactEnvironment({ PATH: "/usr/bin:/bin", LC_ALL: "C" }),
    tty: false,
    stdin: "closed",
    sandbox,
  });
  const pieces: Uint8Array[] = [];
  for await (const { bytes } of process.output) pieces.push(bytes);
  return { code: (await process.exit).code, text: Buffer.concat(pieces).toString() };
}

async function layOut({ files = [], links = {} }: SandboxLayout): Promise<AbsolutePath> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "sandbox-")));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const [path, text] of files) {
    await mkdir(join(root, path, ".."), { recursive: true });
    await writeFile(join(root, path), text.replaceAll("ROOT", root));
  }
  for (const [path, target] of Object.entries(links)) {
    await mkdir(join(root, path, ".."), { recursive: true });
    await symlink(target, join(root, path));
  }
  return toAbsolutePath(root);
}

function intentOf({ mode, roots }: SandboxLayout, root: AbsolutePath): SandboxIntent {
  if (mode === "read-only") return { mode, networkAccess: false };
  return {
    mode: "workspace-write",
    writableRoots: roots.map((path) => joinPath(root, path)),
    includeSlashTmp: false,
    includeTmpdir: false,
    networkAccess: false,
  };
}

async function protectedBelow(root: string): Promise<string[]> {
  const paths = await readdir(root, { recursive: true });
  return paths.filter((path) => protectedNames.some((name) => name === basename(path)));
}

/** Whether an allowed change made the entry, or a directory for it. */
function isAllowed({ changes }: SandboxLayout, at: string): boolean {
  return Object.entries(changes).some(([change, answer]) => {
    const path = change.split(" ")[1] ?? "";
    return answer === "done" && (path === at || path.startsWith(`${at}/`));
  });
}
