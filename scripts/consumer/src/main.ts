// What a builder's program may look like: strict, nodenext, every package from its tarball. Prints one line per part.
import { homedir } from "node:os";
import { createAgent, type ModelClient, type ModelEvent } from "@codex/core";
import { loadConfig, type RunOptions, type Thread, type Tool } from "@codex/core";
import { createLocalEnvironment, type Environment, exactEnvironment } from "@codex/environment";
import { communicate, spawnLocalExecServer } from "@codex/exec-server";
import { Connection, createTransportPair, Router } from "@codex/jsonrpc";
import { execServerV0, fullAccess, type ThreadEvent, toAbsolutePath } from "@codex/protocol";
import { openSpawnContext, spawnProcess } from "@codex/pty";
import { bubblewrapArguments } from "@codex/sandbox";

const cwd = toAbsolutePath(process.cwd());
const variables = process.env;

/** A model and a tool written against the interfaces alone. */
const scripted: ModelClient = {
  async *stream(prompt): AsyncIterable<ModelEvent> {
    const heard = prompt.input.at(-1);
    const isFirst = heard?.type !== "function_call_output";
    yield {
      type: "item.done",
      item: isFirst
        ? { type: "function_call", name: "clock", arguments: "{}", call_id: "c1" }
        : {
            type: "message",
            role: "assistant",
            content: [{ type: "output_text", text: `it is ${String(heard["output"])}` }],
          },
    };
    yield { type: "completed", responseId: undefined, usage: undefined, totalTokens: undefined };
  },
};

const clock: Tool = {
  name: "clock",
  isParallel: true,
  definition: {
    type: "function",
    name: "clock",
    description: "The time.",
    strict: false,
    parameters: { type: "object", properties: {} },
  },
  run: async () => ({ output: "noon", isSuccess: true }),
};

console.log(`pty: ${await processOutput()}`);
console.log(`jsonrpc: ${await pairOfConnections()}`);
console.log(`exec-server: ${await remoteOutput()}`);
console.log(`core: ${(await agentEvents()).join(" ")}`);
console.log(`sandbox: ${typeof bubblewrapArguments}`);

async function processOutput(): Promise<string> {
  await using context = openSpawnContext(variables);
  await using run = await spawnProcess(
    {
      argv: ["sh", "-c", "echo $GREETING"],
      cwd,
      env: exactEnvironment({ PATH: "/usr/bin:/bin", GREETING: "hello" }),
      tty: false,
      stdin: "closed",
      sandbox: fullAccess,
    },
    context,
  );
  return Buffer.concat(await chunksOf(run.output))
    .toString()
    .trim();
}

async function chunksOf(output: AsyncIterable<{ readonly bytes: Uint8Array }>) {
  const chunks: Uint8Array[] = [];
  for await (const { bytes } of output) chunks.push(bytes);
  return chunks;
}

async function pairOfConnections(): Promise<string> {
  const { initialize } = execServerV0.requests;
  const [here, there] = createTransportPair();
  const router = new Router().on(initialize, ({ clientName }) => ({
    protocolVersion: `hello ${clientName}`,
  }));
  await using server = new Connection(there, { onRequest: (...call) => router.handle(...call) });
  await using client = new Connection(here);
  const { protocolVersion } = await client.request(initialize, { clientName: "me" });
  return `${protocolVersion}, ${server.pendingRequests} pending`;
}

async function remoteOutput(): Promise<string> {
  await using server = await spawnLocalExecServer(
    { program: "node_modules/.bin/codex-exec-server", args: [] },
    { variables, cwd },
  );
  const { client } = server;
  const { processId } = await client.exec({
    processId: "p1",
    argv: ["echo", "from", "there"],
    cwd,
    env: { PATH: "/usr/bin:/bin" },
    tty: false,
  });
  const { stdout, exitCode } = await communicate(client, processId);
  return `${Buffer.from(stdout).toString().trim()}, exit ${exitCode}`;
}

async function agentEvents(): Promise<string[]> {
  const { config } = await loadConfig({ variables, cwd, homeDirectory: homedir() });
  const environment: Environment = createLocalEnvironment({ cwd, variables });
  await using owned = environment;
  const seen: ThreadEvent[] = [];
  const agent = createAgent({
    config,
    environment: owned,
    model: scripted,
    tools: [clock],
    onEvent: (event) => seen.push(event),
    isEphemeral: true,
  });
  await using thread: Thread = agent.startThread();
  const options: RunOptions = { signal: AbortSignal.timeout(10_000), limits: { maxTurns: 5 } };
  const { status, finalMessage } = await thread.run("What time is it?", options);
  return [status, String(finalMessage), `${seen.length} events`];
}
