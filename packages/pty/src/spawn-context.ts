import { Guard } from "./guard.ts";
import { PipePool } from "./pipes.ts";
import { SessionSweep } from "./session-sweep.ts";
import type { SpawnContext } from "./spawn.ts";

/**
 * The context of a run: its guard and its pipes, both made with the first process. Disposing kills every process
 * group that is still there and closes the spare pipes.
 */
export function openSpawnContext(
  baseEnvironment: SpawnContext["baseEnvironment"],
): SpawnContext & AsyncDisposable {
  const directories = ["/dev/shm", baseEnvironment["TMPDIR"] || "/tmp"];
  const guard = new Guard(directories);
  const pipes = new PipePool({ directories, path: baseEnvironment["PATH"] });
  return {
    baseEnvironment,
    guard,
    pipes,
    sessions: new SessionSweep(),
    async [Symbol.asyncDispose]() {
      pipes[Symbol.dispose]();
      await guard[Symbol.asyncDispose]();
    },
  };
}
