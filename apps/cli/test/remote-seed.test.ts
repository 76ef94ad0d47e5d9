import { readdir, readFile } from "node:fs/promises";
import { temporaryDirectory } from "@codex/test-support";
import { describe, expect, test } from "vitest";
import { execWith, type ExecResult } from "./exec-with.ts";
import { commandFor, startExecutor } from "./executor.ts";

const seedName = "remote_exec_seed.txt";
const generatedName = "remote_exec_generated.txt";
const seedText = "remote-fs-seed\n";

/** Blank is unset, for both. */
const externalUrl = process.env["CODEX_EXEC_SERVER_TEST_WS_URL"]?.trim() || undefined;
const externalRoot = process.env["CODEX_EXEC_SERVER_TEST_REMOTE_ROOT"]?.trim() || undefined;

const writeGenerated = `printf from-remote > ${generatedName}`;

/** The seed's three tool calls, in the local spelling of the workspace. */
function scenarioFor({ workspace = "{{workspace}}", command = writeGenerated } = {}) {
  const call = (call_id: string, name: string, args: object) => [
    { function_call: { call_id, name, arguments: args } },
  ];
  return [
    call("call-exec", "exec_command", { cmd: command, yield_time_ms: 10_000 }),
    call("call-read", "read_file", { file_path: `${workspace}/${seedName}` }),
    call("call-list", "list_dir", { dir_path: workspace, offset: 1, limit: 20, depth: 1 }),
    [{ message: "done" }],
  ];
}

/** The seed's command line, with the settings of an environment. */
function argsFor(settings: readonly string[]): string[] {
  const values = [
    "experimental_use_unified_exec_tool=true",
    'zsh_path="/usr/bin/zsh"',
    ...settings,
    'experimental_supported_tools=["read_file","list_dir"]',
  ];
  return [
    "--skip-git-repo-check",
    "-s",
    "danger-full-access",
    ...values.flatMap((value) => ["-c", value]),
    "run remote exec-server tools",
  ];
}

const useKey = "experimental_unified_exec_use_exec_server=true";
const urlKey = (url: string) =>
  `experimental_unified_exec_exec_server_websocket_url=${JSON.stringify(url)}`;
const rootKey = (root: string) =>
  `experimental_unified_exec_exec_server_workspace_root=${JSON.stringify(root)}`;
const spawnKey = "experimental_unified_exec_spawn_local_exec_server=true";

/** A way to an executor on this machine: the settings of a run, and what has to be up meanwhile. */
const ways: readonly (readonly [string, (root: string) => Promise<Way>])[] = [
  ["in-process", async (root) => ({ settings: [useKey, rootKey(root)] })],
  ["spawned-local", async (root) => ({ settings: [useKey, spawnKey, rootKey(root)] })],
  [
    "websocket",
    async (root) => {
      const executor = await startExecutor();
      const settings = [useKey, spawnKey, urlKey(executor.url), rootKey(root)];
      return { settings, executor };
    },
  ],
  [
    "command",
    async (root) => {
      const table = `{ command = ${JSON.stringify(commandFor())}, workspace_root = "${root}" }`;
      return { settings: [`environments.far=${table}`, 'environment="far"'] };
    },
  ],
];

interface Way {
  readonly settings: readonly string[];
  readonly executor?: AsyncDisposable;
}

describe.skipIf(externalUrl !== undefined)(
  "Q1, Q4-Q7: command, read_file, list_dir, answer",
  () => {
    test.each(ways)("%s, with the same root on both sides", async (_name, open) => {
      await using folder = await temporaryDirectory({ [seedName]: seedText });
      const { settings, executor } = await open(folder.path);
      await using _ = executor;
      const result = await execWith({
        scenario: scenarioFor({ workspace: folder.path }),
        isRepository: false,
        args: ["-C", folder.path, ...argsFor(settings)],
      });
      expectSeedRun(result);
      expect(await readFile(`${folder.path}/${generatedName}`, "utf8")).toBe("from-remote");
    });

    test.each(ways)("%s, with another root there that holds other files", async (_name, open) => {
      await using there = await temporaryDirectory({
        ".git/HEAD": "",
        "AGENTS.md": "rules above the root",
        [`root/${seedName}`]: seedText,
        "root/AGENTS.md": "far rules",
      });
      const root = `${there.path}/root`;
      const { settings, executor } = await open(root);
      await using _ = executor;
      await execWith(
        {
          scenario: scenarioFor(),
          isRepository: false,
          args: argsFor(settings),
          files: { "AGENTS.md": "near rules", "near.txt": "near" },
        },
        async (result) => {
          expectSeedRun(result);
          expect((await readdir(result.workspace)).toSorted()).toEqual(["AGENTS.md", "near.txt"]);
          expect(await readFile(`${root}/${generatedName}`, "utf8")).toBe("from-remote");
          const first = result.requests[0]?.text ?? "";
          expect(first).toContain("far rules");
          expect(first).not.toContain("near rules");
          expect(first).not.toContain("rules above the root");
          expect(first).toContain(`<cwd>${root}</cwd>`);
          expect(outputOf(result, 3, "call-list")).not.toContain("near.txt");
        },
      );
    });
  },
);

test.skipIf(externalUrl === undefined)(
  "Q2: an external server, with its root or with ours",
  async () => {
    const settings = [
      useKey,
      urlKey(externalUrl ?? ""),
      ...(externalRoot === undefined ? [] : [rootKey(externalRoot)]),
    ];
    const both = `printf 'remote-fs-seed\\n' > ${seedName} && printf from-remote > ${generatedName}`;
    const result = await execWith({
      scenario: scenarioFor(externalRoot === undefined ? {} : { command: both }),
      isRepository: false,
      args: argsFor(settings),
      files: externalRoot === undefined ? { [seedName]: seedText } : {},
    });
    expectSeedRun(result);
  },
);

function expectSeedRun(result: ExecResult): void {
  expect({ code: result.code, stderr: result.code === 0 ? "" : result.stderr }).toEqual({
    code: 0,
    stderr: "",
  });
  expect(result.requests).toHaveLength(4);
  expect(outputOf(result, 2, "call-read")).toContain("remote-fs-seed");
  const listed = outputOf(result, 3, "call-list");
  expect(listed).toContain(seedName);
  expect(listed).toContain(generatedName);
}

/** What the model was told of a call in the request with this number, from 0. */
function outputOf({ requests }: ExecResult, request: number, callId: string): string {
  const input = requests[request]?.body?.["input"] as { call_id?: string; output?: unknown }[];
  const { output } =
    input.find((item) => item.call_id === callId && item.output !== undefined) ?? {};
  return typeof output === "string" ? output : JSON.stringify(output);
}
