import { existsSync, readdirSync } from "node:fs";
import { chmod, symlink, writeFile } from "node:fs/promises";
import { type Scenario, type ScenarioItem, temporaryDirectory } from "@codex/test-support";
import { describe, expect, test } from "vitest";
import { execWith, type ExecResult } from "./exec-with.ts";

const hasBubblewrap = (process.env["PATH"] ?? "")
  .split(":")
  .some((folder) => existsSync(`${folder}/bwrap`));
if (!hasBubblewrap) test.skip("sandboxed runs: bwrap is not installed", () => {});

const useKey = "experimental_unified_exec_use_exec_server=true";
const spawnKey = "experimental_unified_exec_spawn_local_exec_server=true";

/** Where a sandboxed run can work. */
const places: readonly (readonly [title: string, settings: readonly string[]])[] = [
  ["on this machine", []],
  ["on an exec-server in this process", [useKey]],
  ["on an exec-server that is a child", [useKey, spawnKey]],
];

const run = (cmd: string, more: object = {}): ScenarioItem => ({
  function_call: { name: "exec_command", arguments: { cmd, ...more } },
});
const patch = (path: string): ScenarioItem => ({
  custom_tool_call: {
    name: "apply_patch",
    input: `*** Begin Patch\n*** Add File: ${path}\n+text\n*** End Patch`,
  },
});

/** One call a turn, so that the order is certain. */
const scenario: Scenario = [
  [run("cat AGENTS.md; echo net=$CODEX_SANDBOX_NETWORK_DISABLED")],
  [run("echo x > made")],
  [run("echo x > made-in-terminal; exit 3", { tty: true })],
  [run("echo x > .git/config")],
  [run("mkdir .codex; echo x > .codex/config.toml")],
  [run("echo x > ../outside")],
  [run("true", { sandbox_permissions: "require_escalated", justification: "because" })],
  [patch("patched")],
  [patch(".git/hooks/pre-commit")],
  [patch("../outside")],
  [{ message: "Done." }],
];

const refusedBy = {
  readOnly:
    "patch rejected: writing is blocked by read-only sandbox; rejected by user approval settings",
  outside: "patch rejected: writing outside of the project; rejected by user approval settings",
  escalation:
    "approval policy is Never; reject command — you cannot ask for escalated permissions if the approval policy is Never",
};

describe.runIf(hasBubblewrap).each(places)("%s", (_place, settings) => {
  const play = (args: readonly string[], inspect?: (result: ExecResult) => void) =>
    execWith(
      {
        scenario,
        sandbox: undefined,
        files: { "AGENTS.md": "Be kind.\n" },
        config:
          "[sandbox_workspace_write]\nexclude_slash_tmp = true\nexclude_tmpdir_env_var = true",
        args: [...settings.flatMap((setting) => ["-c", setting]), ...args, "--json", "go"],
      },
      inspect,
    );

  test("exec-cli.md 4 and 7: without -s a run reads and changes nothing", async () => {
    const result = await play([], ({ workspace }) => {
      expect(readdirSync(workspace).toSorted()).toEqual([".git", "AGENTS.md"]);
      expect(readdirSync(`${workspace}/.git`)).toEqual(["HEAD"]);
    });
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: "" });
    expect(outcomes(result)).toEqual([
      "exit 0: Be kind.\nnet=1\n",
      "exit 1: made: Read-only file system",
      "exit 3: made-in-terminal: Read-only file system",
      "exit 1: .git/config: Read-only file system",
      "exit 1: .codex/config.toml: No such file or directory",
      "exit 1: ../outside: Read-only file system",
      refusedBy.escalation,
      refusedBy.readOnly,
      refusedBy.readOnly,
      refusedBy.readOnly,
    ]);
  });

  test("exec-cli.md 4 and 7: workspace-write changes the workspace, but not .git, .codex and what is outside", async () => {
    const result = await play(["-s", "workspace-write"], ({ workspace }) => {
      expect(readdirSync(workspace).toSorted()).toEqual([
        ".git",
        "AGENTS.md",
        "made",
        "made-in-terminal",
        "patched",
      ]);
      expect(readdirSync(`${workspace}/.git`)).toEqual(["HEAD"]);
    });
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: "" });
    expect(outcomes(result)).toEqual([
      "exit 0: Be kind.\nnet=1\n",
      "exit 0: ",
      "exit 3: ",
      "exit 1: .git/config: Read-only file system",
      "exit 1: .codex/config.toml: Read-only file system",
      "exit 1: ../outside: Read-only file system",
      refusedBy.escalation,
      "exit 0: Success. Updated the following files:\nA patched\n",
      refusedBy.outside,
      refusedBy.outside,
    ]);
  });

  test("a workspace whose .git is a symbolic link stays read-only, and that is said", async () => {
    const { requests, events } = await execWith({
      scenario: [[run("echo x > made")], [{ message: "Done." }]],
      sandbox: "workspace-write",
      config: "[sandbox_workspace_write]\nexclude_slash_tmp = true\nexclude_tmpdir_env_var = true",
      isRepository: false,
      prepare: ({ workspace }) => symlink("/nowhere", `${workspace}/.git`),
      args: [
        "--skip-git-repo-check",
        ...settings.flatMap((setting) => ["-c", setting]),
        "--json",
        "go",
      ],
    });
    expect(outcomes({ requests })).toEqual(["exit 1: made: Read-only file system"]);
    const warnings = events.flatMap((event) =>
      event.type === "item.completed" && event.item.type === "error" ? [event.item.message] : [],
    );
    expect(warnings).toEqual([expect.stringMatching(/stays read-only: its `\.git` is a symbolic/)]);
  });

  test("where bubblewrap is missing or may not make namespaces, it is exit 2 before the first request", async () => {
    await using folder = await temporaryDirectory();
    const broken = `${folder.path}/bwrap`;
    await writeFile(
      broken,
      "#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2; exit 1\n",
    );
    await chmod(broken, 0o755);
    const args = [...settings.flatMap((setting) => ["-c", setting]), "--json", "go"];
    const runs = ["/nowhere", `${folder.path}:/usr/bin:/bin`].map((path) =>
      execWith({ sandbox: undefined, args, env: { PATH: path } }),
    );
    const [missing, refused] = await Promise.all(runs);
    for (const result of [missing, refused])
      expect({ code: result?.code, stdout: result?.stdout, requests: result?.requests }).toEqual({
        code: 2,
        stdout: "",
        requests: [],
      });
    expect(missing?.stderr).toMatch(
      /read-only.*, and the sandbox needs bubblewrap .*-s danger-full-access/,
    );
    expect(refused?.stderr).toMatch(
      /^The read-only sandbox cannot be set up.*: bwrap: No permissions to create a new namespace\n.*-s danger-full-access\n$/,
    );
  });
});

/** What each call was answered: its code and output, of a shell's complaint the last two parts. */
function outcomes({ requests }: Pick<ExecResult, "requests">): string[] {
  const input = requests.at(-1)?.body?.["input"] as readonly { type: string; output?: string }[];
  return input
    .filter(({ type }) => type.endsWith("_output"))
    .map(({ output = "" }) => {
      const [, head = "", text] = /^([^]*?)Output:\n([^]*)$/.exec(output) ?? [];
      if (text === undefined) return output;
      const code = /(?:exited with code|Exit code:) (-?\d+)/.exec(head)?.[1];
      const complaint = /(?:^|\n)[^\n]*?: (?:line \d+: )?(\S+: [A-Z][^\n:\r]+)\r?\n$/.exec(
        text,
      )?.[1];
      return `exit ${code}: ${complaint ?? text}`;
    });
}
