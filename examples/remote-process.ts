// A process on another machine, its output as it comes. Here the "machine" is a server started beside us; with
// `connectCommand(["ssh", host, "codex-exec-server"], …)` or `connectWebSocket(…)` it is anywhere.
//   node remote-process.ts [PROGRAM [ARGS...]]
import { exactEnvironment } from "@codex/environment";
import { createExecServerEnvironment, spawnLocalExecServer } from "@codex/exec-server";
import { fullAccess, toAbsolutePath } from "@codex/protocol";

const [program = "codex-exec-server", ...args] = process.argv.slice(2);
const { client } = await spawnLocalExecServer({ program, args }, { variables: process.env });
await using environment = createExecServerEnvironment(client, {
  name: "beside",
  cwd: toAbsolutePath("/tmp"),
});

await using run = await environment.start({
  argv: ["sh", "-c", "for n in 1 2 3; do echo line $n; done; echo oops >&2; exit 3"],
  cwd: "/tmp",
  env: exactEnvironment({ PATH: "/usr/bin:/bin" }),
  tty: false,
  stdin: "closed",
  sandbox: fullAccess,
});
const decoder = new TextDecoder();
// Nobody asks, nothing comes: a loop that takes its time holds the program back.
for await (const { stream, bytes } of run.output) {
  console.log(`${stream}: ${decoder.decode(bytes).trimEnd()}`);
}
console.log(`exit ${(await run.exit).code}`);
