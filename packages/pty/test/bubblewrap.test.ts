import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import type { AbsolutePath, MachineFacts, SandboxIntent } from "@codex/protocol";
import { exactEnvironment } from "@codex/pty";
import { temporaryDirectory } from "@codex/test-support";
import { expect, onTestFinished, test } from "vitest";
import { kindOf, next, openBench } from "./bench.ts";
import { bubblewrapHere, wrapHere } from "./sandboxed.ts";

const readOnly: SandboxIntent = { mode: "read-only", networkAccess: false };

/** This disk, without links. */
const machine: MachineFacts = {
  temporaryDirectory: undefined,
  realPath: (path) => (existsSync(path) ? (realpathSync(path) as AbsolutePath) : undefined),
  kindOf: (path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats && (stats.isDirectory() ? "directory" : "file");
  },
  gitDirectoryOf: () => undefined,
};

function writable(...writableRoots: string[]): SandboxIntent {
  const rest = { includeSlashTmp: false, includeTmpdir: false, networkAccess: false };
  return { mode: "workspace-write", writableRoots, ...rest };
}

test.each([
  ["another system", { platform: "darwin" }],
  ["another processor", { architecture: "riscv64" }],
  ["no bwrap on PATH", { searchPath: "/nowhere" }],
  [
    "no folder for its files",
    { machine: { ...machine, temporaryDirectory: "/nowhere" as AbsolutePath } },
  ],
])("with %s the start is refused", async (_, changes) => {
  await using bench = openBench({ wrap: wrapHere(changes) });
  expect(await kindOf(bench.start("true", { sandbox: readOnly }))).toBe("sandboxUnavailable");
});

test.runIf(bubblewrapHere)(
  "a bwrap that the command could have written is passed over",
  async () => {
    await using folder = await temporaryDirectory();
    const root = realpathSync(folder.path);
    writeFileSync(`${root}/bwrap`, "#!/bin/sh\necho planted\n");
    chmodSync(`${root}/bwrap`, 0o755);
    const wrap = wrapHere({ machine, searchPath: `${root}:${process.env["PATH"]}` });
    await using bench = openBench({ wrap });
    expect((await bench.run("echo real", { sandbox: writable(root) })).output).toBe("real\n");
    expect((await bench.run("echo real", { sandbox: readOnly })).output).toBe("planted\n");
  },
);

test.runIf(bubblewrapHere)(
  "a sandbox that cannot be set up ends as a denial in bubblewrap's own words; nothing was run",
  async () => {
    await using bench = openBench({ wrap: wrapHere() });
    // Bubblewrap's /dev is its own, so this folder is not there inside.
    const cwd = mkdtempSync("/dev/shm/codex-test-");
    onTestFinished(() => rmdirSync(cwd));
    const { output, exit } = await bench.run("echo ran", { sandbox: readOnly, cwd });
    expect(exit).toEqual({ code: 1, sandboxDenied: true });
    expect(output).toMatch(/^bwrap: .*\/dev\/shm/);
  },
);

test.runIf(bubblewrapHere)(
  "what the loader is told to load is loaded into the command only",
  async () => {
    await using bench = openBench({ wrap: wrapHere() });
    const env = exactEnvironment({ PATH: "/usr/bin:/bin", LD_PRELOAD: "/nowhere/library.so" });
    const { output, exit } = await bench.run("", { argv: ["true"], env, sandbox: readOnly });
    expect({ lines: output.trim().split("\n"), exit }).toEqual({
      lines: [expect.stringContaining("/nowhere/library.so")],
      exit: { code: 0 },
    });
  },
);

test.runIf(bubblewrapHere)("neither a run nor a refused start leaves a descriptor", async () => {
  await using bench = openBench({ wrap: wrapHere() });
  const argv = ["sh", "-c", "true", "x".repeat(8_000_000)];
  await bench.run("true");
  const ofTheGuard = unnamedFiles();
  for (let round = 0; round < 3; round += 1) {
    await bench.run("true", { sandbox: readOnly });
    expect(await kindOf(bench.start("", { argv, sandbox: readOnly }))).toBe("invalidArgument");
  }
  expect(unnamedFiles()).toEqual(ofTheGuard);
});

test.runIf(bubblewrapHere)(
  "the cover of a missing name stays while any command needs it, and then leaves nothing",
  async () => {
    await using folder = await temporaryDirectory();
    const root = realpathSync(folder.path);
    await using bench = openBench({ wrap: wrapHere({ machine }) });
    const options = { sandbox: writable(root), cwd: root };
    await using long = await bench.start(
      "echo ready; read line; echo x > .codex/config.toml || echo held; echo x > file",
      { ...options, stdin: "open" },
    );
    const output = long.output[Symbol.asyncIterator]();
    expect(await next(output)).toBe("ready\n");
    expect((await bench.run("echo x > .codex/other || echo held", options)).output).toContain(
      "held",
    );
    await long.write(Buffer.from("\n"));
    let rest = "";
    for (let text = await next(output); text !== ""; text = await next(output)) rest += text;
    expect(rest).toMatch(
      /Read-only file system\n(.*\n)*held\n$|held\n(.*\n)*.*Read-only file system\n$/,
    );
    await long.exit;
    expect(readdirSync(root)).toEqual(["file"]);
    expect(existsSync(`${root}/.codex`)).toBe(false);
  },
);

/** Open files of this process that were made for a sandbox. */
function unnamedFiles(): string[] {
  return readdirSync("/proc/self/fd")
    .map((name) => readLink(`/proc/self/fd/${name}`))
    .filter((target) => /\/codex-[-0-9a-f]{36} \(deleted\)$/.test(target));
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // the descriptor of the listing itself
  }
}
