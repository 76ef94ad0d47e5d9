import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { createLocalEnvironment, exactEnvironment } from "@codex/environment";
import { fullAccess, toAbsolutePath } from "@codex/protocol";
import {
  type CliResult,
  cliPath,
  runCli,
  type RunCliOptions,
  temporaryDirectory,
  within,
} from "@codex/test-support";
import { describe, expect, test } from "vitest";

const path = process.env["PATH"] ?? "";
const hasBubblewrap = path.split(":").some((folder) => existsSync(`${folder}/bwrap`));
if (!hasBubblewrap) test.skip("codex sandbox: bwrap is not installed", () => {});

async function sandbox(
  args: readonly string[],
  options: Partial<RunCliOptions> = {},
): Promise<CliResult> {
  await using folder = await temporaryDirectory();
  const env = { HOME: folder.path, CODEX_HOME: folder.path, ...options.env };
  return await runCli({ cwd: folder.path, ...options, args: ["sandbox", ...args], env });
}

describe.runIf(hasBubblewrap)("codex sandbox", () => {
  test("is read-only by default, passes both outputs on and exits as the command", async () => {
    const script = "echo out; echo net=$CODEX_SANDBOX_NETWORK_DISABLED >&2; : > made; exit 7";
    const { code, stdout, stderr } = await sandbox(["--", "bash", "-c", script]);
    expect({ code, stdout, stderr }).toEqual({
      code: 7,
      stdout: "out\n",
      stderr: "net=1\nbash: line 1: made: Read-only file system\n",
    });
  });

  test("takes the mode, the folder and further folders; the command's own options are its own", async () => {
    await using folder = await temporaryDirectory({ "work/": "", "more/": "", "other/": "" });
    const settings = `-s workspace-write -C ${folder.path}/work --add-dir ${folder.path}/more
      -c sandbox_workspace_write.exclude_slash_tmp=true -c sandbox_workspace_write.exclude_tmpdir_env_var=true`;
    const script = ": > here && : > ../more/there && : > ../other/nowhere";
    const { code, stderr } = await sandbox([...settings.split(/\s+/), "bash", "-c", script]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "bash: line 1: ../other/nowhere: Read-only file system\n",
    });
    expect([readdirSync(`${folder.path}/work`), readdirSync(`${folder.path}/more`)]).toEqual([
      ["here"],
      ["there"],
    ]);
  });

  test("hands on its input and its end", async () => {
    const { code, stdout } = await sandbox(["wc", "-c"], { stdin: { text: "12345" } });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "5\n" });
  });

  test("hands on a signal, and lets the command answer it", async () => {
    const script = "trap 'echo caught; exit 5' TERM; echo ready; while :; do sleep 0.05; done";
    const { code, stdout } = await sandbox(["--", "sh", "-c", script], {
      onStdout: (text, child) => {
        if (text === "ready\n") child.kill("SIGTERM");
      },
    });
    expect({ code, stdout }).toEqual({ code: 5, stdout: "ready\ncaught\n" });
  });

  test.each([
    ["no-such-program", 127, "no-such-program: No such file or directory (os error 2)\n"],
    ["/etc/passwd", 126, "/etc/passwd: Permission denied (os error 13)\n"],
  ])("%s is %i, as a shell has it", async (program, expected, message) => {
    const { code, stderr } = await sandbox(["--", program]);
    expect({ code, stderr }).toEqual({ code: expected, stderr: message });
  });

  test("gives the command a terminal on a terminal: size, keys as they are, its own interrupts", async () => {
    await using folder = await temporaryDirectory();
    const cwd = toAbsolutePath(folder.path);
    await using environment = createLocalEnvironment({ cwd, variables: process.env });
    const script =
      "trap 'stty size; echo interrupted; exit 9' INT; stty size; echo ready; while :; do sleep 0.05; done";
    await using running = await environment.start({
      argv: [process.execPath, cliPath, "sandbox", "--", "sh", "-c", script],
      cwd,
      env: exactEnvironment({ PATH: path, HOME: cwd, CODEX_HOME: cwd }),
      tty: { rows: 31, columns: 97 },
      stdin: "open",
      sandbox: fullAccess,
    });
    let screen = "";
    const output = running.output[Symbol.asyncIterator]();
    const until = async (expected: string): Promise<void> => {
      while (!screen.includes(expected)) {
        const { done, value } = await within(output.next(), expected);
        if (done === true) throw new Error(`ended before ${expected}: ${screen}`);
        // Node's raw mode leaves the terminal adding a return to each line.
        screen += Buffer.from(value.bytes).toString().replaceAll("\r", "");
      }
    };
    await until("ready\n");
    await running.resize({ rows: 40, columns: 120 });
    await running.write(Buffer.from("\x03"));
    await until("interrupted\n");
    expect(screen.replaceAll("^C", "")).toBe("31 97\nready\n40 120\ninterrupted\n");
    expect((await running.exit).code).toBe(9);
  });

  test("nothing of a sandboxed command survives a kill -9 of codex", async () => {
    const marker = `marker-${process.pid}`;
    const loop = `trap "" HUP TERM INT; echo ready; while :; do sleep 1; done`;
    const script = `setsid sh -c '${loop}' ${marker} & sh -c '${loop}' ${marker} & wait`;
    const { signal } = await sandbox(["--", "sh", "-c", script, marker], {
      onStdout: (text, child) => {
        if (text === "ready\nready\n") child.kill("SIGKILL");
      },
    });
    expect(signal).toBe("SIGKILL");
    await within(goneFromProcessList(marker), "the end of everything in the sandbox");
  });

  test("where bubblewrap is not on PATH it is exit 2 and says what to do", async () => {
    const env = { PATH: "/nowhere" };
    const { code, stdout, stderr } = await sandbox(["--", "/bin/true"], { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^The sandbox mode is read-only, and the sandbox needs bubblewrap/);
  });

  test("without a command it is wrong usage", async () => {
    expect((await sandbox([])).code).toBe(2);
  });
});

describe("codex doctor", () => {
  const doctor = (variables: Record<string, string>): Promise<CliResult> =>
    runCli({ args: ["doctor"], cwd: "/", env: variables });

  test.runIf(hasBubblewrap)("tells that there is a sandbox", async () => {
    const { stdout } = await doctor({});
    expect(stdout).toMatch(/^ok {6}sandbox: /m);
  });

  test("exits 1 and tells what to install where there is none", async () => {
    const { code, stdout } = await doctor({ PATH: "/nowhere" });
    expect(stdout).toMatch(/^failed {2}sandbox: .*bubblewrap.*-s danger-full-access/m);
    expect(code).toBe(1);
  });
});

/** Processes are ended by the kernel in its own time. */
async function goneFromProcessList(marker: string): Promise<void> {
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
