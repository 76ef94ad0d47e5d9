import { openSpawnContext, type SpawnContext, spawnProcess } from "@codex/pty";
import { type ProcessOffers, processContract, type ProcessSide } from "@codex/pty/testing";

const everything: ProcessOffers = {
  resize: true,
  closeStdin: true,
  stdinPipes: true,
  signals: true,
  gracefulTerminate: true,
  exitSignal: true,
};

processContract("this machine", () => openSide(), everything);
processContract("this machine, without mkfifo", () => openSide({ pipes: undefined }), everything);
if (process.platform === "linux")
  processContract(
    "this machine, terminals as on macOS",
    () => openSide({ terminalsBy: "fork" }),
    everything,
  );

type Changes = { [Key in keyof SpawnContext]?: SpawnContext[Key] | undefined };

async function openSide(changes: Changes = {}): Promise<ProcessSide> {
  const context = openSpawnContext(process.env);
  const changed = { ...context, ...changes } as SpawnContext;
  return {
    start: (options, signal) => spawnProcess(options, changed, signal),
    [Symbol.asyncDispose]: () => context[Symbol.asyncDispose](),
  };
}
