// Aborting a turn at every place it can wait.
import { spawn } from "node:child_process";
import type { Thread } from "@codex/core";
import type { Environment } from "@codex/environment";
import { connectStdio, createExecServerEnvironment } from "@codex/exec-server";
import { toAbsolutePath } from "@codex/protocol";
import {
  agentIn,
  commandModel,
  localEnvironment,
  remoteEnvironment,
  report,
  speechlessModel,
} from "./parts.ts";

await report("before the start", async (abort) => {
  await using environment = localEnvironment();
  await using thread = agentIn(environment, commandModel("true")).startThread();
  abort.abort(new Error("not now"));
  const ending = await endOf(thread, abort, () => undefined);
  return `${ending}, then ${(await thread.run("again")).status}`;
});

await report("while the model speaks", async (abort) => {
  await using environment = localEnvironment();
  await using thread = agentIn(environment, speechlessModel).startThread();
  setTimeout(() => abort.abort(), 100);
  return await endOf(thread, abort, () => undefined);
});

for (const [place, open] of Object.entries({ here: localEnvironment, there: remoteEnvironment })) {
  await report(`while a command runs ${place}`, async (abort) => {
    await using environment = await open();
    await using thread = agentIn(environment, commandModel("sleep 600")).startThread();
    return await endOf(thread, abort, (type) => type === "item.started" && abort.abort());
  });
}

await report("while a call waits for a machine that does not answer", async (abort) => {
  const { server, environment } = await ownServer();
  await using thread = agentIn(environment, commandModel("true")).startThread();
  const ending = await endOf(thread, abort, (type) => {
    if (type !== "turn.started") return;
    server.kill("SIGSTOP");
    setTimeout(() => abort.abort(), 200);
  });
  server.kill("SIGKILL");
  await environment[Symbol.asyncDispose]();
  return ending;
});

async function endOf(
  thread: Thread,
  { signal }: AbortController,
  onEvent: (type: string) => unknown,
): Promise<string> {
  let last = "nothing";
  for await (const event of thread.runStreamed("go", { signal })) {
    onEvent(event.type);
    last = event.type === "turn.failed" ? `turn.failed (${event.error.kind})` : event.type;
  }
  return last;
}

async function ownServer(): Promise<{
  server: ReturnType<typeof spawn>;
  environment: Environment;
}> {
  const server = spawn("codex-exec-server", [], { stdio: ["pipe", "pipe", "inherit"] });
  const client = await connectStdio(server);
  const cwd = toAbsolutePath(process.cwd());
  return { server, environment: createExecServerEnvironment(client, { name: "frozen", cwd }) };
}
