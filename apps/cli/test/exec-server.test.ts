import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { defaultTerminalSize, exactEnvironment } from "@codex/environment";
import { createExecServerEnvironment, spawnLocalExecServer } from "@codex/exec-server";
import { fullAccess, toAbsolutePath } from "@codex/protocol";
import { cliPath, runCli } from "@codex/test-support";

const entries = {
  "codex exec-server": [cliPath, "exec-server"],
  "codex-exec-server": [fileURLToPath(new URL("../bin/codex-exec-server.js", import.meta.url))],
};

test.each(Object.entries(entries))(
  "%s serves over its standard streams, terminals too",
  async (_name, args) => {
    // A terminal beside a pipe on stdin: Node 20 once took the path of its native part for that pipe.
    await using server = await spawnLocalExecServer(
      { program: process.execPath, args },
      { variables: process.env },
    );
    const cwd = toAbsolutePath("/");
    await using environment = createExecServerEnvironment(server.client, { name: "child", cwd });
    await using running = await environment.start({
      argv: ["/bin/sh", "-c", "tty >/dev/null && echo a terminal"],
      cwd,
      env: exactEnvironment({ PATH: process.env["PATH"] ?? "" }),
      tty: defaultTerminalSize,
      stdin: "open",
      sandbox: fullAccess,
    });
    let output = "";
    for await (const { bytes } of running.output) output += Buffer.from(bytes).toString();
    expect({ output, exit: await running.exit }).toEqual({
      output: "a terminal\r\n",
      exit: { code: 0 },
    });
  },
);

test("its own --help and its own usage errors come through", async () => {
  const help = await runCli({ args: ["exec-server", "--help"], cwd: "/" });
  expect(help.stdout).toMatch(/^Usage: codex-exec-server \[--listen URL\]/);
  const wrong = await runCli({ args: ["exec-server", "--listen", "nope"], cwd: "/" });
  expect({ code: wrong.code, stdout: wrong.stdout }).toEqual({ code: 2, stdout: "" });
});
