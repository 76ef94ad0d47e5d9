import type { ThreadEvent } from "@codex/protocol";
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { connect, createServer } from "node:net";
import {
  cliPath,
  missingForSsh,
  type ModelServer,
  runCli,
  type Scenario,
  type ScenarioItem,
  startModelServer,
  startSshServer,
  temporaryDirectory,
} from "@codex/test-support";
import { expect, test } from "vitest";
import { commandFor } from "./executor.ts";
import { type Host, missingForHosts, startTwoHosts } from "./host.ts";

const missing = missingForSsh() ?? missingForHosts();
if (missing !== undefined) console.log(`skipped: two hosts: ${missing}`);

interface Way {
  /** Of the environment, as TOML. */
  readonly settings: string;
  readonly held?: AsyncDisposable;
}

const ways: readonly (readonly [string, (far: Host, address: string) => Promise<Way>])[] = [
  [
    "ssh",
    async (far, address) => {
      const path = process.env["PATH"] ?? "";
      const sshd = await startSshServer({ path, address, startedBy: (line) => far.command(line) });
      const command = sshd.command(commandFor().join(" "));
      return { settings: `command = ${JSON.stringify(command)}`, held: sshd };
    },
  ],
  [
    "a websocket that asks for a token",
    async (far, address) => {
      const args = ["--listen", `ws://${address}:0`, "--ws-auth", "capability-token"];
      const token = { CODEX_EXEC_SERVER_CONNECTION_TOKEN: "secret" };
      const url = await far.start([...commandFor(), ...args], token);
      return { settings: `url = "${url}"\ntoken_env = "FAR_TOKEN"` };
    },
  ],
];

const call = (name: string, args: unknown): ScenarioItem => ({
  function_call: { name, arguments: args },
});
const patch = `*** Begin Patch
*** Update File: where.txt
@@
-far
+far, patched
*** Add File: patched.txt
+new
*** End Patch`;

const scenario: Scenario = {
  turns: [
    [
      call("exec_command", {
        cmd: "cat where.txt; ip -o -4 address show dev cable | grep -o 'inet [0-9.]*'",
      }),
    ],
    [call("list_dir", { dir_path: "{{workspace}}" })],
    [call("read_file", { file_path: "{{workspace}}/where.txt" })],
    [
      call("exec_command", {
        cmd: 'read -r line; echo "$line" > typed.txt; tty',
        tty: true,
        yield_time_ms: 500,
      }),
    ],
    [call("write_stdin", `{"session_id": {{sid}}, "chars": "hello\\n", "yield_time_ms": 5000}`)],
    [{ custom_tool_call: { name: "apply_patch", input: patch } }],
    [{ message: "Done." }],
  ],
  capture: { sid: "session ID (\\d+)" },
};

test.skipIf(missing !== undefined).each(ways)(
  "issue 04: two hosts, the work over %s: all of it there, nothing here",
  async (_name, open) => {
    await using folder = await temporaryDirectory({ "workspace/": "", "home/": "" });
    const workspace = `${folder.path}/workspace`;
    await using model = await startModelServer(scenario, { workspace });
    await using hosts = await startTwoHosts();
    const { near, far, address } = hosts;
    await using _door = await openDoor(near, model, `${folder.path}/door`);
    await near.run(`mount -t tmpfs near ${workspace}; cd ${workspace}; ${files("near")}`);
    // Of what is here the far host sees neither the workspace nor the agent's home.
    await far.run(`mount -t tmpfs far ${folder.path}; mkdir -p ${workspace}/.git
      cd ${workspace}; ${files("far")}; echo 'ref: refs/heads/main' > .git/HEAD`);
    const { settings, held } = await open(far, address);
    await using _held = held;
    await folder.write("home/config.toml", configToml(model, settings));

    const { code, stderr, events } = await runCli({
      command: near.command(["env", "-C", workspace, process.execPath, cliPath]),
      args: ["exec", "--json", "go"],
      cwd: "/",
      env: {
        HOME: folder.path,
        CODEX_HOME: `${folder.path}/home`,
        SCRIPTED_KEY: "key",
        FAR_TOKEN: "secret",
      },
    });

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(model.requests[0]?.text).toContain("rules of far");
    expect(model.requests[0]?.text).not.toContain("rules of near");
    expect(answers(model)).toEqual([
      `far\ninet ${address}\n`,
      `Absolute path: ${workspace}\n.git/\n  HEAD\nAGENTS.md\nonly-far.txt\nwhere.txt`,
      "L1: far",
      "",
      expect.stringMatching(/^hello\r\n\/dev\/pts\/\d+\r\n$/),
      "Success. Updated the following files:\nA patched.txt\nM where.txt\n",
    ]);
    expect(placesOf(events)).toEqual(["far", "far", "far"]);
    const contents = `cd ${workspace}; grep -r '' * | LC_ALL=C sort; LC_ALL=C ls -A`;
    expect({
      far: await far.run(contents),
      near: await near.run(contents),
      outside: readdirSync(workspace),
    }).toEqual({
      far: [
        "AGENTS.md:rules of far",
        "patched.txt:new",
        "typed.txt:hello",
        "where.txt:far, patched",
        ".git\nAGENTS.md\nonly-far.txt\npatched.txt\ntyped.txt\nwhere.txt\n",
      ].join("\n"),
      near: [
        "AGENTS.md:rules of near",
        "where.txt:near",
        "AGENTS.md\nonly-near.txt\nwhere.txt\n",
      ].join("\n"),
      outside: [],
    });
    const toModel = `bash -c ': < /dev/tcp/127.0.0.1/${model.port}'`;
    await near.run(toModel);
    await expect(far.run(toModel)).rejects.toThrow("Connection refused");
  },
  60_000,
);

test.skipIf(missing !== undefined)("hosts end with everything in them", async () => {
  const { near, far, ...hosts } = await startTwoHosts();
  const spaces = [near, far].map(({ pid }) => spaceOf(`${pid}`));
  await far.start(["sh", "-c", "echo up; trap '' TERM HUP; setsid sleep 600 & sleep 600"]);
  const living = (): number =>
    readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && spaces.includes(spaceOf(pid))).length;
  expect(living()).toBeGreaterThan(2);
  expect(existsSync("/sys/class/net/cable")).toBe(false);
  await hosts[Symbol.asyncDispose]();
  expect(living()).toBe(0);
});

/** The process namespace of a process; undefined when it has ended. */
function spaceOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

function files(name: string): string {
  return `echo ${name} > where.txt; echo rules of ${name} > AGENTS.md; touch only-${name}.txt`;
}

/** In the host, and only there, the model can be reached under the address it has on this machine. */
async function openDoor(host: Host, { port }: ModelServer, path: string): Promise<AsyncDisposable> {
  const behind = createServer((socket) => {
    const onward = connect(port, "127.0.0.1");
    for (const end of [socket, onward]) end.on("error", () => {});
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => behind.listen(path, resolve));
  // A socket in the file system leads out of a network.
  const door = `const net = require("node:net");
net.createServer((socket) => {
  const onward = net.connect(process.argv[2]);
  for (const end of [socket, onward]) end.on("error", () => {});
  socket.pipe(onward).pipe(socket);
}).listen(Number(process.argv[1]), "127.0.0.1", () => console.log("open"));`;
  await host.start([process.execPath, "-e", door, `${port}`, path]);
  return { [Symbol.asyncDispose]: () => new Promise((resolve) => behind.close(() => resolve())) };
}

function configToml({ baseUrl }: ModelServer, settings: string): string {
  return `model_provider = "scripted"
sandbox_mode = "danger-full-access"
experimental_supported_tools = ["read_file", "list_dir"]
environment = "far"
[environments.far]
${settings}
[model_providers.scripted]
name = "scripted"
base_url = "${baseUrl}"
env_key = "SCRIPTED_KEY"
`;
}

/** What the tools answered, in call order, of commands and patches only the output. */
function answers({ requests }: ModelServer): string[] {
  const input = requests.at(-1)?.body?.["input"] as { type: string; output?: string }[];
  return input
    .filter(({ type }) => type.endsWith("_output"))
    .map(({ output = "" }) => output.split("Output:\n").at(-1) ?? "");
}

/** The environment each completed item of work names. */
function placesOf(events: readonly ThreadEvent[]): unknown[] {
  return events.flatMap((event) =>
    event.type === "item.completed" && "environment" in event.item ? [event.item.environment] : [],
  );
}
