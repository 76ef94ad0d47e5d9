// What the programs of this folder share. Each is a builder's program: it prints one line per case and must then end by
// itself, with code 0 and nothing on stderr.
import { homedir } from "node:os";
import { type AgentOptions, createAgent, loadConfig, type ModelClient } from "@codex/core";
import { createLocalEnvironment, type Environment } from "@codex/environment";
import { createExecServerEnvironment, spawnLocalExecServer } from "@codex/exec-server";
import { toAbsolutePath } from "@codex/protocol";

for (const trouble of ["unhandledRejection", "warning"]) {
  process.on(trouble, (problem: unknown) => {
    console.error(`${trouble}: ${problem instanceof Error ? problem.stack : String(problem)}`);
    process.exitCode = 1;
  });
}

const cwd = toAbsolutePath(process.cwd());
const variables = process.env;

const { config } = await loadConfig({
  variables,
  cwd,
  homeDirectory: homedir(),
  flags: { sandbox: "danger-full-access" },
});

export function localEnvironment(): Environment {
  return createLocalEnvironment({ cwd, variables });
}

export async function remoteEnvironment(): Promise<Environment> {
  const launch = { program: "codex-exec-server", args: [] };
  const { client } = await spawnLocalExecServer(launch, { variables });
  return createExecServerEnvironment(client, { name: "there", cwd });
}

export function agentIn(
  environment: Environment,
  model: ModelClient,
  more?: Partial<AgentOptions>,
) {
  return createAgent({ config, environment, model, isEphemeral: true, ...more });
}

/** A model that asks for one command and then says that it is done, turn after turn. */
export function commandModel(cmd: string, yieldTimeMs = 30_000): ModelClient {
  const input = JSON.stringify({ cmd, yield_time_ms: yieldTimeMs });
  return {
    async *stream({ input: history }) {
      const isFirst = history.at(-1)?.type !== "function_call_output";
      yield {
        type: "item.done",
        item: isFirst
          ? { type: "function_call", name: "exec_command", arguments: input, call_id: "call" }
          : {
              type: "message",
              role: "assistant",
              content: [{ type: "output_text", text: "done" }],
            },
      };
      yield { type: "completed", responseId: undefined, usage: undefined, totalTokens: undefined };
    },
  };
}

/** A model that begins to speak and then says nothing more until it is told to stop. */
export const speechlessModel: ModelClient = {
  async *stream(_prompt, signal) {
    yield { type: "created" };
    yield { type: "text.delta", delta: "Well" };
    await new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
  },
};

/** Runs a case, which has 2 s from the moment `abort` is called, and prints how it ended. */
export async function report(name: string, run: (abort: AbortController) => Promise<string>) {
  const abort = new AbortController();
  let abortedAt = Number.POSITIVE_INFINITY;
  abort.signal.addEventListener("abort", () => (abortedAt = Date.now()), { once: true });
  const ending = await run(abort).catch((error: unknown) => `throws ${String(error)}`);
  const lateness = Date.now() - abortedAt > 2_000 ? ", too late" : "";
  console.log(`${name}: ${ending}${lateness}`);
}
