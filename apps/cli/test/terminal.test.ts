import { expect, test } from "vitest";
import { createLocalEnvironment, exactEnvironment } from "@codex/environment";
import { fullAccess, toAbsolutePath } from "@codex/protocol";
import { cliPath, startModelServer, temporaryDirectory, within } from "@codex/test-support";

test("on a terminal: colours, a live line, no wait for stdin, the message once", async () => {
  await using server = await startModelServer([
    [{ function_call: { name: "exec_command", arguments: { cmd: "sleep 1.2; echo ok" } } }],
    [{ message: "All done." }],
  ]);
  const provider = `model_providers.s={name="s", base_url="${server.baseUrl}"}`;
  await using folder = await temporaryDirectory({ ".git/HEAD": "" });
  const cwd = toAbsolutePath(folder.path);
  await using environment = createLocalEnvironment({ cwd, variables: process.env });
  const options = "exec -s danger-full-access -c model_provider=s".split(" ");
  await using running = await environment.start({
    argv: [process.execPath, cliPath, ...options, "-c", provider, "say ok"],
    cwd,
    env: exactEnvironment({
      PATH: process.env["PATH"] ?? "",
      HOME: folder.path,
      TERM: "xterm-256color",
    }),
    tty: { rows: 24, columns: 80 },
    stdin: "open",
    sandbox: fullAccess,
  });
  const decoder = new TextDecoder();
  let screen = "";
  for await (const { bytes } of running.output) screen += decoder.decode(bytes, { stream: true });
  const { code } = await within(running.exit, "the end of the run");
  expect(code).toBe(0);
  expect(screen).toContain("\u001b[1msleep 1.2; echo ok\u001b[22m");
  expect(screen).toContain("running sleep 1.2; echo ok 1s");
  expect(screen.split("All done.")).toHaveLength(2);
  expect(screen).not.toContain("stdin");
});
