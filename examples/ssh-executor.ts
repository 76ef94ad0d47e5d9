// The agent here, its commands and files on a machine behind ssh. It needs `codex-exec-server` there, and nothing else:
//   node ssh-executor.ts user@host /home/user/project
import { homedir } from "node:os";
import { createAgent, createReplayClient, loadConfig } from "@codex/core";
import { connectCommand, createExecServerEnvironment } from "@codex/exec-server";
import { toAbsolutePath } from "@codex/protocol";

const [host = "localhost", folder = "/tmp", ...sshOptions] = process.argv.slice(2);

const client = await connectCommand(["ssh", ...sshOptions, host, "codex-exec-server"], {
  variables: process.env,
});
await using environment = createExecServerEnvironment(client, {
  name: host,
  cwd: toAbsolutePath(folder),
});
const { config } = await loadConfig({
  variables: process.env,
  cwd: process.cwd(),
  homeDirectory: homedir(),
  flags: { sandbox: "danger-full-access" },
});
const agent = createAgent({
  config,
  environment,
  model: createReplayClient({
    file: "ssh-executor",
    text: [
      { function_call: { name: "exec_command", arguments: { cmd: "pwd; cat where.txt" } } },
      { message: "Done." },
    ]
      .map((event) => JSON.stringify({ v: 1, events: [event] }))
      .join("\n"),
  }),
  isEphemeral: true,
});
await using thread = agent.startThread();
const { items } = await thread.run("Where are you?");
for (const item of items) {
  if (item.type === "command_execution") console.log(item.aggregated_output.trimEnd());
}
